// SPDX-License-Identifier: MIT
#pragma once
// elu: x, or alpha * (e^x - 1) where x is negative, Clevert et al. 2015.
#include <koila/ops/activation/elu_base.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x where x > 0, else alpha * (e^x - 1). alpha is 1 by default. Floating-point
/// only.
inline constexpr struct elu : detail::elu_like<elu> {
  static constexpr std::string_view name = "elu";
  using attributes = detail::alpha_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::holds(x.type, a.alpha) ? rules::of_floats(x) : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::float_elements;
  static constexpr auto factors(const attributes& a) -> internal::elu_attributes { return {.alpha = a.alpha}; }
} elu;

}  // namespace koila::inline v0
