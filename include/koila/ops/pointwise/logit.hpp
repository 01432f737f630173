// SPDX-License-Identifier: MIT
#pragma once
// logit: log(x / (1 - x)).
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/logit_backward.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> (...): log(x / (1 - x)). If `eps` is given, x is first limited to [eps, 1 - eps].
/// Integers become float32.
inline constexpr struct logit : author::unary_floating<logit> {
  static constexpr std::string_view name = "logit";
  using attributes = internal::logit_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    const dtype type = rules::floating(x.type);
    return rules::holds(type, a.eps) ? verdict(x.with(type)) : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  [[gnu::always_inline]] static void element(float, const attributes& a, auto loop) {
    if (a.eps.value < 0) return loop([](float x) { return detail::log_of(x / (1.0F - x)); });
    const auto least = static_cast<float>(a.eps.value);
    const float most = 1.0F - least;
    loop([=](float x) {
      const float z = detail::choose(x < least, least, detail::choose(x > most, most, x));
      return detail::log_of(z / (1.0F - z));
    });
  }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(internal::logit_backward(dy, x, koila::eps = a.eps));
  }
} logit;

}  // namespace koila::inline v0
