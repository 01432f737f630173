// SPDX-License-Identifier: MIT
#pragma once
// avg_pool3d: the mean of each window, over three dims.
#include <koila/ops/internal/avg_pool.hpp>

namespace koila::inline v0 {

/// (samples, channels, d, h, w) -> (samples, channels, d', h', w'), or without samples: the mean of
/// each window.
inline constexpr struct avg_pool3d
    : detail::pool_op<avg_pool3d, 3, struct internal::avg_pool, detail::avg_pool_attributes> {
  static constexpr std::string_view name = "avg_pool3d";
} avg_pool3d;

}  // namespace koila::inline v0
