// SPDX-License-Identifier: MIT
#pragma once
// Definitions of prod_over.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/prod_over.hpp>

#include <ATen/ops/prod_ops.h>

namespace koila::inline v0::internal {

void prod_over::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  const auto along = [](at::Tensor to, const at::Tensor& from, std::int64_t dim, bool keep) {
    at::_ops::prod_int_out::call(from, dim, keep, to.scalar_type(), to);
  };
  if (a.all()) along(y.view(at::IntArrayRef()), x.view({-1}), 0, false);  // there is no out variant for all elements
  else along(y, x, a.dim.value, a.keepdim.value);
}

}  // namespace koila::inline v0::internal
