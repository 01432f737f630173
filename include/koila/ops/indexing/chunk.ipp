// SPDX-License-Identifier: MIT
#pragma once
// Definitions of chunk.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/chunk.hpp>

namespace koila::inline v0::internal {

void chunk_part::view(at::Tensor& y, const at::Tensor& x, const dims&, const attributes& a) {
  const auto n = x.size(a.dim.value);
  y = x.narrow(a.dim.value, a.start(n), a.length(n));
}

}  // namespace koila::inline v0::internal
