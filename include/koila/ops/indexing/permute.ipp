// SPDX-License-Identifier: MIT
#pragma once
// Definitions of permute.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/permute.hpp>

namespace koila::inline v0 {

void permute::view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a) {
  std::int64_t order[dims::capacity];
  for (int i = 0; i < to.rank; ++i) order[i] = a.order.e[i].value;
  y = x.permute(at::IntArrayRef(order, static_cast<std::size_t>(to.rank)));
}

}  // namespace koila::inline v0
