// SPDX-License-Identifier: MIT
#pragma once
// Definitions of select.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/select.hpp>

namespace koila::inline v0 {

void ops::select::view(at::Tensor& y, const at::Tensor& x, const dims&, const attributes& a) {
  y = x.select(a.dim.value, a.index.value);
}

}  // namespace koila::inline v0
