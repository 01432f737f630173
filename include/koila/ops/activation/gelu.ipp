// SPDX-License-Identifier: MIT
#pragma once
// Definitions of gelu.hpp.
#include <koila/ops/activation/gelu.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/gelu_ops.h>

namespace koila::inline v0 {

void gelu::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::gelu_out::call(x, a.by_tanh() ? "tanh" : "none", y);
}
auto gelu::elements() -> detail::float_elements { return detail::float_elements_of<struct gelu, 1>(); }

}  // namespace koila::inline v0
