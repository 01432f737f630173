// SPDX-License-Identifier: MIT
#pragma once
// avg_pool2d: the mean of each window, over two dims.
#include <koila/ops/internal/avg_pool.hpp>

namespace koila::inline v0 {

/// (samples, channels, h, w) -> (samples, channels, h', w'), or without samples: the mean of each
/// window.
inline constexpr struct avg_pool2d
    : detail::pool_op<avg_pool2d, 2, struct internal::avg_pool, detail::avg_pool_attributes> {
  static constexpr std::string_view name = "avg_pool2d";
} avg_pool2d;

}  // namespace koila::inline v0
