// SPDX-License-Identifier: MIT
#pragma once
// Definitions of one_hot.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/one_hot.hpp>

namespace koila::inline v0 {

void one_hot::evaluate(at::Tensor& y, const at::Tensor& x, const attributes&) {
  y.zero_();
  y.scatter_(-1, x.unsqueeze(-1), 1);
}

}  // namespace koila::inline v0
