// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hardsigmoid_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/hardsigmoid_backward.hpp>

#include <ATen/ops/hardsigmoid_backward_ops.h>

namespace koila::inline v0 {

namespace detail {
inline constexpr auto hardsigmoid_backward_of = [](auto dy, auto x) {
  using T = decltype(x);
  return choose((x > T(-3)) & (x < T(3)), dy / T(6), T{});
};
}  // namespace detail
namespace internal {

void hardsigmoid_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x) {
  at::_ops::hardsigmoid_backward_grad_input::call(dy, x, dx);
}
auto hardsigmoid_backward::elements() -> detail::all_elements {
  return detail::elements_of<struct hardsigmoid_backward, 2>(detail::hardsigmoid_backward_of);
}

}  // namespace internal

}  // namespace koila::inline v0
