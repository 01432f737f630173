// SPDX-License-Identifier: MIT
#pragma once
// adaptive_max_pool3d: max pooling to a given output size, over three dims.
#include <koila/ops/internal/max_pool_at.hpp>

namespace koila::inline v0 {

/// (samples, channels, d, h, w) -> (samples, channels, d', h', w'), or without samples: max pooling
/// to (d', h', w') = output_size. The windows cover the whole input.
inline constexpr struct adaptive_max_pool3d
    : detail::pool_op<adaptive_max_pool3d, 3, struct internal::max_pool_at, detail::adaptive_attributes> {
  static constexpr std::string_view name = "adaptive_max_pool3d";
} adaptive_max_pool3d;

}  // namespace koila::inline v0
