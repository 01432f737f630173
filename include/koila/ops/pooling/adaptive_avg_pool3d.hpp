// SPDX-License-Identifier: MIT
#pragma once
// adaptive_avg_pool3d: average pooling to a given output size, over three dims.
#include <koila/ops/internal/avg_pool.hpp>

namespace koila::inline v0 {

/// (samples, channels, d, h, w) -> (samples, channels, d', h', w'), or without samples: average
/// pooling to (d', h', w') = output_size. The windows cover the whole input.
inline constexpr struct adaptive_avg_pool3d
    : detail::pool_op<adaptive_avg_pool3d, 3, struct internal::avg_pool, detail::adaptive_attributes> {
  static constexpr std::string_view name = "adaptive_avg_pool3d";
} adaptive_avg_pool3d;

}  // namespace koila::inline v0
