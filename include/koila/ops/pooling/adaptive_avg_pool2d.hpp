// SPDX-License-Identifier: MIT
#pragma once
// adaptive_avg_pool2d: average pooling to a given output size, over two dims.
#include <koila/ops/internal/avg_pool.hpp>

namespace koila::inline v0 {

/// (samples, channels, h, w) -> (samples, channels, h', w'), or without samples: average pooling to
/// (h', w') = output_size. The windows cover the whole input.
inline constexpr struct adaptive_avg_pool2d
    : detail::pool_op<adaptive_avg_pool2d, 2, struct internal::avg_pool, detail::adaptive_attributes> {
  static constexpr std::string_view name = "adaptive_avg_pool2d";
} adaptive_avg_pool2d;

}  // namespace koila::inline v0
