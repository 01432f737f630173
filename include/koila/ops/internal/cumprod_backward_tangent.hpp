#pragma once
// cumprod_backward_tangent: the directional derivative of cumprod_backward.
#include <koila/ops/reduction/axis_loop.hpp>

namespace koila {

/// (..., n, ...) three times -> (..., n, ...): the derivative of cumprod_backward(dy, x) with
/// respect to x in a direction v. The operands are v, dy and x.
inline constexpr struct cumprod_backward_tangent : on_axis<cumprod_backward_tangent, 3> {
  static constexpr std::string_view name = "cumprod_backward_tangent";
  static constexpr bool host_only = true;
  static void evaluate(out y, const at::Tensor& v, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
} cumprod_backward_tangent;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/axis_loop.ipp>

namespace koila {

inline void cumprod_backward_tangent::evaluate(out y, const at::Tensor& v, const at::Tensor& dy, const at::Tensor& x,
                                               const attributes& a) {
  std::vector<detail::dual> before;
  detail::for_each_line_of_numbers(y, x, v, dy, a, [&](std::int64_t n, auto of, auto along, auto cotangent, auto put) {
    before.resize(static_cast<std::size_t>(n));
    detail::pull_back_products(
        n, [=](std::int64_t i) { return detail::dual{of(i), along(i)}; },
        [=](std::int64_t i) { return detail::dual{cotangent(i)}; }, before.data(),
        [=](std::int64_t i, const detail::dual& value) { put(i, value.d); });
  });
}

}  // namespace koila
#endif
