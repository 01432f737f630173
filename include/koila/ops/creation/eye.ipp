// SPDX-License-Identifier: MIT
#pragma once
// Definitions of eye.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/creation/eye.hpp>

namespace koila::inline v0 {

void eye::evaluate(at::Tensor& y, const attributes&) {
  y.zero_();
  y.diagonal().fill_(1);
}

}  // namespace koila::inline v0
