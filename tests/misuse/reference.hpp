// SPDX-License-Identifier: MIT
#pragma once
// Calls LibTorch's operators of the same name.
#include "call.hpp"

namespace koila::test {

/// The results of LibTorch's operators with the op's name. An operator is called if it takes as
/// many tensors as there are operands, and has an argument for each attribute that is given.
struct compared {
  bool found = false;  ///< an operator takes such arguments
  std::vector<at::Tensor> gave;  ///< the operators' results
  std::string refused;  ///< the message of an operator that refused
};
auto called_in_libtorch(const call& c, const std::vector<at::Tensor>& xs) -> compared;
/// LibTorch's result of an op whose counterpart has another name or form. Nothing: the op is not
/// among these. An undefined tensor: this call is left out.
auto called_as_counterpart(const call& c, const std::vector<at::Tensor>& xs) -> std::optional<at::Tensor>;
/// The public ops that cannot be compared with LibTorch, each with the reason.
auto without_counterpart() -> const std::map<std::string, std::string>&;

/// How often each op was compared with LibTorch.
class coverage {
 public:
  void count(const callable_op& op) { ++times_[op.type]; }
  auto calls() const -> std::size_t;
  /// Returns the ops that users call and that were never compared, in order.
  auto never() const -> std::vector<std::string>;
  /// `each`: with the number of every op.
  auto to_string(bool each) const -> std::string;

 private:
  std::map<std::string, std::size_t> times_;
};

/// Returns the message of an exception. `c10::Error::what()` would also resolve the symbols of the
/// call stack, which is slow.
auto text_of(const std::exception& e) -> std::string;
/// Returns true if a kernel refuses values, which no rule sees, and is right. `theirs` is
/// LibTorch's answer to the same call: values that it takes are not refused.
auto refuses_values(const std::exception& e, const call& c, const std::vector<at::Tensor>& xs, const compared& theirs)
    -> bool;

}  // namespace koila::test
