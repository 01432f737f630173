// SPDX-License-Identifier: MIT
#pragma once
// dropout2d: sets random channels to zero.
#include <koila/ops/random/dropout_base.hpp>

namespace koila::inline v0 {

/// (n, c, h, w) -> (n, c, h, w): dropout of whole channels of each sample. A value of three dims is
/// read as (n, c, l), as in LibTorch.
inline constexpr struct dropout2d : detail::channel_dropout<dropout2d, 3, 4, 0> {
  static constexpr std::string_view name = "dropout2d";
  static constexpr std::string_view aten = "feature_dropout";
} dropout2d;

}  // namespace koila::inline v0
