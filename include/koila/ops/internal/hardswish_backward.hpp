// SPDX-License-Identifier: MIT
#pragma once
// hardswish_backward: the gradient of hardswish.
#include <koila/ops/internal/hardtanh_backward.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): 0 where x <= -3, dy * (x / 3 + 1 / 2) where -3 < x < 3, else dy. The
/// result is dy where x is NaN.
inline constexpr struct hardswish_backward : binary<hardswish_backward> {
  static constexpr std::string_view name = "hardswish_backward";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& dy, const dims& x) -> verdict { return rules::slopes(dy, x); }
  static constexpr auto cost(const dims& dy, const dims& x, const dims& out) -> op_cost {
    return {3 * static_cast<double>(out.count()), static_cast<double>(dy.bytes() + x.bytes() + out.bytes()),
            out.bytes()};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x);
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x) {
    return gradients(sum_to(hardswish_backward{}(d, x), dy),
                     sum_to(hardtanh_backward(mul(mul(d, dy), 1.0 / 3), x, -3, 3), x));
  }
} hardswish_backward;

}  // namespace koila::inline v0::internal
