// SPDX-License-Identifier: MIT
#pragma once
// avg_pool1d: the mean of each window, over one dim.
#include <koila/ops/internal/avg_pool.hpp>

namespace koila::inline v0 {

/// (samples, channels, l) -> (samples, channels, l'), or without samples: the mean of each window.
inline constexpr struct avg_pool1d
    : detail::pool_op<avg_pool1d, 1, struct internal::avg_pool, detail::avg_pool_attributes> {
  static constexpr std::string_view name = "avg_pool1d";
} avg_pool1d;

}  // namespace koila::inline v0
