// SPDX-License-Identifier: MIT
#pragma once
// Definitions of unsqueeze.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/unsqueeze.hpp>

namespace koila::inline v0 {

void unsqueeze::view(at::Tensor& y, const at::Tensor& x, const dims&, const attributes& a) {
  y = x.unsqueeze(a.dim.value);
}

}  // namespace koila::inline v0
