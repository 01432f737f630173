// SPDX-License-Identifier: MIT
#pragma once
// Definitions of repeat.hpp.
#include <koila/ops/common/repeats.ipp>
#include <koila/ops/indexing/repeat.hpp>

namespace koila::inline v0 {

void repeat::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  const detail::repetitions r(x, y, a);
  y.view(r.all()).copy_(x.view(r.single()).expand(r.all()));
}

}  // namespace koila::inline v0
