// SPDX-License-Identifier: MIT
#pragma once
// Definitions of addcmul.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/addcmul.hpp>

#include <ATen/ops/addcmul_ops.h>

namespace koila::inline v0 {

void addcmul::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& a, const at::Tensor& b,
                       const attributes& attrs) {
  at::_ops::addcmul_out::call(x, a, b, attrs.value.value, y);
}
auto addcmul::elements() -> detail::all_elements { return detail::elements_of<struct addcmul, 3>(); }

}  // namespace koila::inline v0
