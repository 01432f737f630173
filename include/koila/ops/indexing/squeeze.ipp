// SPDX-License-Identifier: MIT
#pragma once
// Definitions of squeeze.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/squeeze.hpp>

namespace koila::inline v0 {

void squeeze::view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes&) {
  std::int64_t sizes[dims::capacity], strides[dims::capacity];
  int n = 0;
  for (std::int64_t i = 0; i < x.dim(); ++i) {
    if (n == to.rank || x.size(i) != to.e[n].n) continue;  // this dim is removed
    sizes[n] = x.size(i);
    strides[n++] = x.stride(i);
  }
  y = x.as_strided({sizes, static_cast<std::size_t>(n)}, {strides, static_cast<std::size_t>(n)});
}

}  // namespace koila::inline v0
