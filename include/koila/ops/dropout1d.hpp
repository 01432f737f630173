#pragma once
// dropout1d: channels set to zero at random.
#include <koila/ops/family/dropout.hpp>

namespace koila {

/// (n, c, l) -> (n, c, l), (c, l) -> (c, l): dropout, each channel of each sample kept or dropped
/// as a whole.
inline constexpr struct dropout1d : channel_dropout<dropout1d, 2, 3, 2> {
  static constexpr std::string_view name = "dropout1d";
} dropout1d;

}  // namespace koila
