// SPDX-License-Identifier: MIT
#pragma once
// cumsum_backward: the gradient of cumsum.
#include <koila/ops/reduction/axis_loop.hpp>

namespace koila::inline v0 {

struct cumsum;

namespace internal {

/// (..., n, ...) -> (..., n, ...): the sum of each element and all later elements along `dim`.
inline constexpr struct cumsum_backward : detail::on_axis<cumsum_backward, 1> {
  static constexpr std::string_view name = "cumsum_backward";
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call<struct cumsum>(d, koila::dim = a.dim));
  }
} cumsum_backward;

}  // namespace internal

}  // namespace koila::inline v0

#include <koila/ops/reduction/cumsum.hpp>
