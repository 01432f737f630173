// SPDX-License-Identifier: MIT
#pragma once
// Definitions of softplus.hpp.
#include <koila/ops/activation/softplus.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/softplus_ops.h>

namespace koila::inline v0 {

void softplus::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::softplus_out::call(x, a.beta.value, a.threshold.value, y);
}
auto softplus::elements() -> detail::float_elements { return detail::float_elements_of<struct softplus, 1>(); }

}  // namespace koila::inline v0
