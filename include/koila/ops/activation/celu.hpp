// SPDX-License-Identifier: MIT
#pragma once
// celu: elu with a continuous slope at 0, Barron 2017.
#include <koila/ops/activation/elu_base.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x where x > 0, else alpha * (e^(x / alpha) - 1). alpha is 1 by default.
/// Floating-point only.
inline constexpr struct celu : detail::elu_like<celu> {
  static constexpr std::string_view name = "celu";
  using attributes = detail::alpha_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.alpha.known && a.alpha.value == 0) return reason::size_out_of_range;
    if (!rules::holds(x.type, a.alpha) || (a.alpha.known && !author::holds(x.type, 1 / a.alpha.value)))
      return reason::number_out_of_range;
    return rules::of_floats(x);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::float_elements;
  static constexpr auto factors(const attributes& a) -> internal::elu_attributes {
    return {.alpha = a.alpha, .input_scale = 1 / a.alpha.value};
  }
} celu;

}  // namespace koila::inline v0
