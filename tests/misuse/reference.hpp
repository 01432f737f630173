#pragma once
// What LibTorch's operator of the same name says of a call.
#include "call.hpp"

namespace koila::test {

/// How a call compares with LibTorch's operators of its op's name. An operator is called where its
/// tensors are as many as the operands and it has an argument of the name of each attribute that is
/// given.
struct compared {
  bool found = false;  ///< there is an operator that takes such arguments
  std::vector<at::Tensor> gave;  ///< what they gave
  std::string refused;  ///< what one said that refused
};
auto called_in_libtorch(const call& c, const std::vector<at::Tensor>& xs) -> compared;

}  // namespace koila::test
