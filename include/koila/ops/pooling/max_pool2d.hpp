// SPDX-License-Identifier: MIT
#pragma once
// max_pool2d: the maximum of each window, over two dims.
#include <koila/ops/internal/max_pool_at.hpp>

namespace koila::inline v0 {

/// (samples, channels, h, w) -> (samples, channels, h', w'), or without samples: the maximum of
/// each window.
inline constexpr struct max_pool2d
    : detail::pool_op<max_pool2d, 2, struct internal::max_pool_at, detail::max_pool_attributes> {
  static constexpr std::string_view name = "max_pool2d";
} max_pool2d;

}  // namespace koila::inline v0
