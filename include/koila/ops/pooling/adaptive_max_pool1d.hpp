// SPDX-License-Identifier: MIT
#pragma once
// adaptive_max_pool1d: max pooling to a given output size, over one dim.
#include <koila/ops/internal/max_pool_at.hpp>

namespace koila::inline v0 {

/// (samples, channels, l) -> (samples, channels, l'), or without samples: max pooling to l' =
/// output_size. The windows cover the whole input.
inline constexpr struct adaptive_max_pool1d
    : detail::pool_op<adaptive_max_pool1d, 1, struct internal::max_pool_at, detail::adaptive_attributes> {
  static constexpr std::string_view name = "adaptive_max_pool1d";
} adaptive_max_pool1d;

}  // namespace koila::inline v0
