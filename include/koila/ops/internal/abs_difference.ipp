// SPDX-License-Identifier: MIT
#pragma once
// Definitions of abs_difference.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/abs_difference.hpp>

#include <ATen/ops/sub_ops.h>

namespace koila::inline v0::internal {

void abs_difference::evaluate(at::Tensor& d, const at::Tensor& x, const at::Tensor& y) {
  at::_ops::sub_out::call(x, y, 1, d);
  d.abs_();
}
auto abs_difference::elements() -> detail::all_elements { return detail::elements_of<struct abs_difference, 2>(); }

}  // namespace koila::inline v0::internal
