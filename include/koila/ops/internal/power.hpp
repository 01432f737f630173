// SPDX-License-Identifier: MIT
#pragma once
// power: powers of non-negative numbers, with derivatives that stay finite at 0.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0::internal {

/// (...) -> (...): x to the power `exponent`, for x >= 0. If the exponent is negative, the result
/// at x = 0 is 0 instead of infinity, so that a norm or a standard deviation of 0 has the gradient
/// 0, as in LibTorch.
inline constexpr struct power : unary<power> {
  static constexpr std::string_view name = "power";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<double> exponent = 1.0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, exponent); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes&) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    return x;
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    const double e = a.exponent.value;
    return gradients(mul(dy, mul(power{}(x, koila::internal::exponent = e - 1), e)));
  }
} power;

}  // namespace koila::inline v0::internal
