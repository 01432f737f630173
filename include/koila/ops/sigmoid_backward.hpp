#pragma once
// sigmoid_backward: dy times the slope of sigmoid where its value is y.
#include <koila/ops/family/elementwise.hpp>
#include <koila/ops/mul.hpp>
#include <koila/ops/sub.hpp>
#include <koila/ops/sum_to.hpp>

namespace koila {

/// (...) x (...) -> (...): dy y (1 - y).
inline constexpr struct sigmoid_backward : binary<sigmoid_backward> {
  static constexpr std::string_view name = "sigmoid_backward";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& dy, const dims& y) -> verdict { return rules::slopes(dy, y); }
  static void evaluate(out dx, const at::Tensor& dy, const at::Tensor& y);
  static auto elements() -> all_elements;
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y) {
    return gradients(sum_to(sigmoid_backward{}(d, y), dy), sum_to(mul(mul(d, dy), sub(1, mul(y, 2))), y));
  }
} sigmoid_backward;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/elements.ipp>
#include <koila/ops/family/whole_vectors.ipp>

#include <ATen/ops/sigmoid_backward_ops.h>

namespace koila {

KOILA_INLINE void sigmoid_backward::evaluate(out dx, const at::Tensor& dy, const at::Tensor& y) {
  detail::in_whole_vectors(dx, at::_ops::sigmoid_backward_grad_input::call, dy, y);
}
KOILA_INLINE auto sigmoid_backward::elements() -> all_elements {
  return detail::elements_of<struct sigmoid_backward, 2>([](auto dy, auto y) { return dy * (1 - y) * y; });
}

}  // namespace koila
#endif
