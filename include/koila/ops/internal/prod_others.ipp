// SPDX-License-Identifier: MIT
#pragma once
// Definitions of prod_others.hpp.
#include <koila/ops/common/axis_operators.ipp>
#include <koila/ops/internal/prod_others.hpp>

namespace koila::inline v0::internal {

void prod_others::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  detail::products_of_others(y, x, a);
}

}  // namespace koila::inline v0::internal
