// SPDX-License-Identifier: MIT
#pragma once
// Definitions of causal_fill.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/causal_fill.hpp>

namespace koila::inline v0::internal {

void causal_fill::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  const auto all = x.options().dtype(at::kBool);
  y.copy_(x).masked_fill_(x.new_ones({x.size(-2), x.size(-1)}, all).triu(1), a.otherwise.value);
}

}  // namespace koila::inline v0::internal
