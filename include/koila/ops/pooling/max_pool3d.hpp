// SPDX-License-Identifier: MIT
#pragma once
// max_pool3d: the maximum of each window, over three dims.
#include <koila/ops/internal/max_pool_at.hpp>

namespace koila::inline v0 {

/// (samples, channels, d, h, w) -> (samples, channels, d', h', w'), or without samples: the maximum
/// of each window.
inline constexpr struct max_pool3d
    : detail::pool_op<max_pool3d, 3, struct internal::max_pool_at, detail::max_pool_attributes> {
  static constexpr std::string_view name = "max_pool3d";
} max_pool3d;

}  // namespace koila::inline v0
