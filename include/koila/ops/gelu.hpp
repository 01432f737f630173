#pragma once
// gelu: x times the normal distribution function of x, Hendrycks and Gimpel 2016.
#include <koila/ops/add.hpp>
#include <koila/ops/erf.hpp>
#include <koila/ops/exp.hpp>
#include <koila/ops/family/activation.hpp>
#include <koila/ops/family/operators.hpp>
#include <koila/ops/mul.hpp>
#include <koila/ops/sub.hpp>
#include <koila/ops/tanh.hpp>

namespace koila {

/// By which function gelu is approximated: kNone or kTanh.
inline constexpr struct approximate : attribute_name<approximate> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.approximate)) { return a.approximate; }
} approximate;

/// (...) -> (...): x times the normal distribution function of x, or what approximates it, Hendrycks and Gimpel 2016:
/// gelu(x), gelu(x, approximate = kTanh). Of floating-point values.
inline constexpr struct gelu : activation<gelu> {
  static constexpr std::string_view name = "gelu";
  struct attributes {
    attr<choice> approximate = choice::none;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.approximate.known && a.approximate.value != choice::none && !by_tanh(a)) return why::not_an_expected_choice;
    return rules::of_floats(x);
  }
  static void evaluate(out y, const at::Tensor& x, const attributes& a);
  static auto elements() -> float_elements;
  // Of ops, not by LibTorch's kernel: in float32 that is oneDNN's, which threw where dy was broadcast to x.
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    if (by_tanh(a)) {  // of x (1 + t) / 2, t being tanh(c (x + k x^3))
      const double c = 0.79788456080286535588, k = 0.044715;
      const auto squared = x * x, t = ops::tanh(x * (1 + squared * k) * c);
      return gradients(dy * (0.5 * (1 + t) + 0.5 * x * ((1 - t * t) * (c + squared * (3 * k * c)))));
    }
    const auto area = (1 + ops::erf(x * 0.70710678118654752440)) * 0.5,
               height = ops::exp(x * x * -0.5) * 0.39894228040143267794;
    return gradients(dy * (area + x * height));
  }

 private:
  static constexpr auto by_tanh(const attributes& a) -> bool { return a.approximate.value == choice::tanh; }
} gelu;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/elements.ipp>

#include <ATen/ops/gelu_ops.h>

namespace koila {

KOILA_INLINE void gelu::evaluate(out y, const at::Tensor& x, const attributes& a) {
  at::_ops::gelu_out::call(x, by_tanh(a) ? "tanh" : "none", y);
}
KOILA_INLINE auto gelu::elements() -> float_elements {
  return detail::float_elements_of<struct gelu, 1>([](float, const attributes& a, auto loop) {
    constexpr float c = 0.797884561F, k = 0.044715F;
    if (by_tanh(a)) loop([](float x) { return 0.5F * x * (1 + detail::tanh_of(c * (x + k * x * x * x))); });
    else loop([](float x) { return 0.5F * x * (1 + detail::erf_of(x * 0.707106781F)); });
  });
}

}  // namespace koila
#endif
