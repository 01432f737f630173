// SPDX-License-Identifier: MIT
#pragma once
// Definitions of roll.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/roll.hpp>

namespace koila::inline v0 {

void roll::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  if (a.dim.empty()) return void(y.view(-1).copy_(x.view(-1).roll(a.shifts.e[0].value, 0)));
  std::int64_t by[dims::capacity], along[dims::capacity];
  const auto n = static_cast<std::size_t>(y.dim());
  for (int d = 0; d < static_cast<int>(n); ++d) along[d] = d, by[d] = a.shift(d, static_cast<int>(n));
  y.copy_(n == 0 ? x : x.roll(at::IntArrayRef(by, n), at::IntArrayRef(along, n)));
}

}  // namespace koila::inline v0
