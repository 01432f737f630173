// SPDX-License-Identifier: MIT
#pragma once
// Definitions of narrow.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/narrow.hpp>

namespace koila::inline v0 {

void narrow::view(at::Tensor& y, const at::Tensor& x, const dims&, const attributes& a) {
  y = x.narrow(a.dim.value, a.start.value, a.length.value);
}

}  // namespace koila::inline v0
