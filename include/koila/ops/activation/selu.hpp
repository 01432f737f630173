// SPDX-License-Identifier: MIT
#pragma once
// selu: elu with factors that preserve mean and variance, Klambauer et al. 2017.
#include <koila/ops/activation/elu_base.hpp>

namespace koila::inline v0 {

/// (...) -> (...): scale * (x > 0 ? x : alpha * (e^x - 1)). The constants scale and alpha preserve
/// mean 0 and variance 1. Floating-point values only.
inline constexpr struct selu : detail::elu_like<selu> {
  static constexpr std::string_view name = "selu";
  using attributes = detail::no_attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::float_elements;
  static constexpr auto factors(const attributes&) -> internal::elu_attributes {
    return {.alpha = 1.6732632423543772848170429916717, .scale = 1.0507009873554804934193349852946};
  }
} selu;

}  // namespace koila::inline v0
