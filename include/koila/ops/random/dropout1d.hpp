// SPDX-License-Identifier: MIT
#pragma once
// dropout1d: sets random channels to zero.
#include <koila/ops/random/dropout_base.hpp>

namespace koila::inline v0 {

/// (n, c, l) -> (n, c, l), (c, l) -> (c, l): dropout of whole channels of each sample.
inline constexpr struct dropout1d : detail::channel_dropout<dropout1d, 2, 3, 2> {
  static constexpr std::string_view name = "dropout1d";
  static constexpr std::string_view aten = "feature_dropout";
} dropout1d;

}  // namespace koila::inline v0
