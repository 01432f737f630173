// SPDX-License-Identifier: MIT
#pragma once
// Definitions of diagonal.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/diagonal.hpp>

namespace koila::inline v0 {

void diagonal::view(at::Tensor& y, const at::Tensor& x, const dims&, const attributes& a) {
  y = x.diagonal(a.offset.value, a.dim1.value, a.dim2.value);
}

}  // namespace koila::inline v0
