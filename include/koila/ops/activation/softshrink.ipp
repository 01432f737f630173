// SPDX-License-Identifier: MIT
#pragma once
// Definitions of softshrink.hpp.
#include <koila/ops/activation/softshrink.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/softshrink_ops.h>

namespace koila::inline v0 {

void softshrink::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::softshrink_out::call(x, a.lambd.value, y);
}
auto softshrink::elements() -> detail::all_elements { return detail::elements_of<struct softshrink, 1>(); }

}  // namespace koila::inline v0
