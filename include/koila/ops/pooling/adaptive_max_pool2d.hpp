// SPDX-License-Identifier: MIT
#pragma once
// adaptive_max_pool2d: max pooling to a given output size, over two dims.
#include <koila/ops/internal/max_pool_at.hpp>

namespace koila::inline v0 {

/// (samples, channels, h, w) -> (samples, channels, h', w'), or without samples: max pooling to
/// (h', w') = output_size. The windows cover the whole input.
inline constexpr struct adaptive_max_pool2d
    : detail::pool_op<adaptive_max_pool2d, 2, struct internal::max_pool_at, detail::adaptive_attributes> {
  static constexpr std::string_view name = "adaptive_max_pool2d";
} adaptive_max_pool2d;

}  // namespace koila::inline v0
