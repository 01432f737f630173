// SPDX-License-Identifier: MIT
#pragma once
// Definitions of gather.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/gather.hpp>

namespace koila::inline v0 {

void gather::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const attributes& a) {
  y.copy_(x.gather(a.dim.value, index));
}

}  // namespace koila::inline v0
