// SPDX-License-Identifier: MIT
#pragma once
// Operators of LibTorch that are several of koila's ops, or none.
#include <koila/intercept/region.hpp>
#include <koila/torch/recorder.hpp>

#include <string_view>

namespace koila::inline v0::detail {

/// The results of a recorded operator: for each result its value, or the values of a list.
struct call_results {
  std::vector<std::vector<int>> values;
  bool is_operand = false;  ///< the result is the first operand itself
};
/// Records an operator. Returns false if that is not possible.
using spelling_function = auto (*)(const operator_call& c, region& r, call_results& out) -> bool;
struct spelling {
  std::string_view aten;
  spelling_function record;
};
auto spellings() -> std::vector<spelling>;

/// Answers an operator whose result is no tensor, if its operands need not be computed for this.
auto answer_now(operator_call& c, std::string_view aten) -> bool;
/// Returns true for operators that LibTorch cannot decompose, although it says so.
auto stays_whole(std::string_view aten) -> bool;

}  // namespace koila::inline v0::detail
