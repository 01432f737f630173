// SPDX-License-Identifier: MIT
#pragma once
// Computes calls with LibTorch, by operators of the same name or by the functions in functions.cpp.
#include "call.hpp"

namespace koila::test {

/// The results of LibTorch's operators with the op's name. An operator is called if it takes as
/// many tensors as the call has operands, and has an argument for each attribute of the call.
struct compared {
  bool found = false;  ///< at least one operator takes such arguments
  std::vector<at::Tensor> gave;  ///< the operators' results
  std::string refused;  ///< the message of an operator that refused
};
auto called_in_libtorch(const call& c, const std::vector<at::Tensor>& xs) -> compared;
/// Computes an op with LibTorch's functions. Returns an undefined tensor if the call must not be
/// compared.
using counterpart = std::function<at::Tensor(const call&, const std::vector<at::Tensor>&)>;
/// Returns the counterpart of an op that LibTorch has under a different name or with different
/// arguments. Returns null for all other ops.
auto counterpart_of(const callable_op& op) -> const counterpart*;
/// Returns the public ops that are not compared with LibTorch, and the reason for each.
auto without_counterpart() -> const std::map<std::string, std::string>&;

/// How often each op was compared with LibTorch.
class coverage {
 public:
  void count(const callable_op& op) { ++times_[op.type]; }
  auto calls() const -> std::size_t;
  /// Returns the public ops that were never compared, sorted by name.
  auto never() const -> std::vector<std::string>;
  /// Returns how many ops were compared. If `each`, also returns how often each op was compared.
  auto to_string(bool each) const -> std::string;

 private:
  std::map<std::string, std::size_t> times_;
};

/// Returns the message of an exception without the call stack that `c10::Error::what()` appends,
/// because looking up the stack's symbols is slow.
auto message_of(const std::exception& e) -> std::string;
/// Returns true if an exception rejects values of operands, which rules cannot check, and these
/// values are really invalid. `theirs` is LibTorch's result of the same call. Values that LibTorch
/// accepts are valid.
auto refuses_values(const std::exception& e, const call& c, const std::vector<at::Tensor>& xs, const compared& theirs)
    -> bool;

}  // namespace koila::test
