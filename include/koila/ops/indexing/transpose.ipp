// SPDX-License-Identifier: MIT
#pragma once
// Definitions of transpose.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/transpose.hpp>

namespace koila::inline v0 {

void transpose::view(at::Tensor& y, const at::Tensor& x, const dims&, const attributes& a) {
  y = x.transpose(a.dim0.value, a.dim1.value);
}

}  // namespace koila::inline v0
