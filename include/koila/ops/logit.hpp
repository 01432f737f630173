#pragma once
// logit: log(x / (1 - x)).
#include <koila/ops/family/elementwise.hpp>
#include <koila/ops/logit_backward.hpp>

namespace koila {

/// (...) -> (...): log(x / (1 - x)), x being put between `eps` and 1 - `eps` where it is given. Integers become float32.
inline constexpr struct logit : unary_floating<logit> {
  static constexpr std::string_view name = "logit";
  using attributes = logit_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    const dtype type = rules::floating(x.type);
    return rules::holds(type, a.eps) ? verdict(x.with(type)) : verdict(why::number_out_of_range);
  }
  static void evaluate(out y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(logit_backward(dy, x, koila::eps = a.eps));
  }
} logit;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/whole_vectors.ipp>

#include <ATen/ops/logit_ops.h>

namespace koila {

KOILA_INLINE void logit::evaluate(out y, const at::Tensor& x, const attributes& a) {
  detail::in_whole_vectors(
      y, [&](const at::Tensor& of, at::Tensor& to) { at::_ops::logit_out::call(of, a.given(), to); }, x);
}

}  // namespace koila
#endif
