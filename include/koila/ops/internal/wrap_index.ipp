// SPDX-License-Identifier: MIT
#pragma once
// Definitions of wrap_index.hpp.
#include <koila/ops/common/index_operators.ipp>
#include <koila/ops/internal/wrap_index.hpp>

namespace koila::inline v0::internal {

void wrap_index::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  y.copy_(detail::wrapped_index(x, a.n.value));
}

}  // namespace koila::inline v0::internal
