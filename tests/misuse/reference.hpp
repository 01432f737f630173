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

}  // namespace koila::test
