// SPDX-License-Identifier: MIT
#pragma once
// Definitions of expand_like.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/expand_like.hpp>

namespace koila::inline v0 {

void expand_like::view(at::Tensor& y, const at::Tensor& dy, const dims& to, const attributes& a) {
  y = dy;
  for (int d = 0; d < to.rank && back(a); ++d)
    if ((a.bits(to.rank) >> static_cast<unsigned>(d) & 1U) != 0) y = y.unsqueeze(d);
  y = y.expand(detail::sizes(to));
}

}  // namespace koila::inline v0
