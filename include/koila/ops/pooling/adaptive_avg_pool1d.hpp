// SPDX-License-Identifier: MIT
#pragma once
// adaptive_avg_pool1d: average pooling to a given output size, over one dim.
#include <koila/ops/internal/avg_pool.hpp>

namespace koila::inline v0 {

/// (samples, channels, l) -> (samples, channels, l'), or without samples: average pooling to l' =
/// output_size. The windows cover the whole input.
inline constexpr struct adaptive_avg_pool1d
    : detail::pool_op<adaptive_avg_pool1d, 1, struct internal::avg_pool, detail::adaptive_attributes> {
  static constexpr std::string_view name = "adaptive_avg_pool1d";
} adaptive_avg_pool1d;

}  // namespace koila::inline v0
