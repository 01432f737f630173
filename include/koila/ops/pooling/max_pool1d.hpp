// SPDX-License-Identifier: MIT
#pragma once
// max_pool1d: the maximum of each window, over one dim.
#include <koila/ops/internal/max_pool_at.hpp>

namespace koila::inline v0 {

/// (samples, channels, l) -> (samples, channels, l'), or without samples: the maximum of each
/// window.
inline constexpr struct max_pool1d
    : detail::pool_op<max_pool1d, 1, struct internal::max_pool_at, detail::max_pool_attributes> {
  static constexpr std::string_view name = "max_pool1d";
} max_pool1d;

}  // namespace koila::inline v0
