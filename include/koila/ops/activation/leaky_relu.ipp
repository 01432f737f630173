// SPDX-License-Identifier: MIT
#pragma once
// Definitions of leaky_relu.hpp.
#include <koila/ops/activation/leaky_relu.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/leaky_relu_ops.h>

namespace koila::inline v0 {

void leaky_relu::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::leaky_relu_out::call(x, a.negative_slope.value, y);
}
auto leaky_relu::elements() -> detail::all_elements { return detail::elements_of<struct leaky_relu, 1>(); }

}  // namespace koila::inline v0
