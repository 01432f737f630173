// SPDX-License-Identifier: MIT
#pragma once
// Definitions of logit.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/logit.hpp>

#include <ATen/ops/logit_ops.h>

namespace koila::inline v0 {

void logit::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::logit_out::call(x, a.given(), y);
}
auto logit::elements() -> detail::float_elements { return detail::float_elements_of<struct logit, 1>(); }

}  // namespace koila::inline v0
