// SPDX-License-Identifier: MIT
#pragma once
// lstm: a long short-term memory over a whole sequence.
#include <koila/ops/recurrent/recurrent.hpp>

namespace koila::inline v0 {

/// (time, n, in) x (n, hidden) x (n, hidden) x (4 * hidden, in) x (4 * hidden, hidden) x (4 *
/// hidden) -> (time, n, hidden): the hidden states of all steps, starting from (h, c). With reverse
/// = true, the sequence runs from the last step to the first. The bias is the sum of LibTorch's two
/// biases and is optional.
inline constexpr struct lstm : detail::lstm_sequence<lstm> {
  static constexpr std::string_view name = "lstm";
  static constexpr auto result(const verdict& all) -> verdict { return all; }
  static constexpr auto state_of(const auto& state) { return state.h; }
} lstm;

}  // namespace koila::inline v0
