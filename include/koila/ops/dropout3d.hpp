#pragma once
// dropout3d: channels set to zero at random.
#include <koila/ops/family/dropout.hpp>

namespace koila {

/// (n, c, d, h, w) -> the same, (c, d, h, w) -> the same: dropout, each channel of each sample kept
/// or dropped as a whole.
inline constexpr struct dropout3d : channel_dropout<dropout3d, 4, 5, 4> {
  static constexpr std::string_view name = "dropout3d";
} dropout3d;

}  // namespace koila
