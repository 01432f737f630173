// SPDX-License-Identifier: MIT
#pragma once
// Definitions of flip.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/flip.hpp>

namespace koila::inline v0 {

void flip::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  const int rank = static_cast<int>(y.dim());
  std::int64_t transposed[dims::capacity];
  std::size_t n = 0;
  for (int d = 0; d < rank; ++d)
    if (a.has(d, rank)) transposed[n++] = d;
  y.copy_(x.flip(at::IntArrayRef(transposed, n)));
}

}  // namespace koila::inline v0
