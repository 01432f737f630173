// SPDX-License-Identifier: MIT
#pragma once
// dropout3d: sets random channels to zero.
#include <koila/ops/random/dropout_base.hpp>

namespace koila::inline v0 {

/// (n, c, d, h, w) -> the same, (c, d, h, w) -> the same: dropout of whole channels of each sample.
inline constexpr struct dropout3d : detail::channel_dropout<dropout3d, 4, 5, 4> {
  static constexpr std::string_view name = "dropout3d";
  static constexpr std::string_view aten = "feature_dropout";
} dropout3d;

}  // namespace koila::inline v0
