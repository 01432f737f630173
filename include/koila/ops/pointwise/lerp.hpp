// SPDX-License-Identifier: MIT
#pragma once
// lerp: linear interpolation.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (...) x (...) x (...) -> (...), broadcast: a + weight * (b - a). All operands must have the same
/// floating-point dtype. Only a scalar weight may have a different dtype.
inline constexpr struct lerp : author::ternary<lerp> {
  static constexpr std::string_view name = "lerp";
  static constexpr auto rule(const dims& a, const dims& b, const dims& weight) -> verdict {
    const dtype type = a.number && b.number ? result_type(a, b, weight) : result_type(a, b);
    for (const dims* x : {&a, &b, &weight}) {
      if (x->type == dtype::unknown || x->number) continue;
      if (!is_floating(x->type)) return reason::not_a_floating_type;
      if (type != dtype::unknown && x->type != type && !(x == &weight && x->rank <= 0)) return reason::dtypes_differ;
    }
    return rules::broadcast(a, b, weight, type);
  }
  static constexpr auto cost(const dims& a, const dims& b, const dims& weight, const dims& out) -> op_cost {
    op_cost w = ternary::cost(a, b, weight, out);
    if (weight.number) w.workspace -= detail::converted(weight, out.type);  // a number is not converted
    return w;
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor& weight);
  /// Interpolates from a if |weight| < 0.5, else from b, as in LibTorch.
  [[gnu::always_inline]] static auto element(auto a, auto b, auto weight) {
    using T = decltype(a);
    const T d = b - a;
    return detail::choose(detail::magnitude(weight) < T(0.5), a + weight * d, b - d * (T(1) - weight));
  }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b, const auto& weight) {
    return gradients(internal::sum_to(mul(dy, sub(1, weight)), a), internal::sum_to(mul(dy, weight), b),
                     internal::sum_to(mul(dy, sub(b, a)), weight));
  }
} lerp;

}  // namespace koila::inline v0
