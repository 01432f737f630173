// SPDX-License-Identifier: MIT
#pragma once
// Definitions of slice.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/slice.hpp>

namespace koila::inline v0 {

void slice::view(at::Tensor& y, const at::Tensor& x, const dims&, const attributes& a) {
  y = x.slice(a.dim.value, a.start.value, a.end.value, a.step.value);
}

}  // namespace koila::inline v0
