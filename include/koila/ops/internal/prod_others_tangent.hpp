#pragma once
// prod_others_tangent: the directional derivative of prod_others.
#include <koila/ops/reduction/axis_loop.hpp>

namespace koila {

/// (..., n, ...) x (..., n, ...) -> (..., n, ...): the derivative of prod_others at the second
/// operand, in the direction of the first operand.
inline constexpr struct prod_others_tangent : on_axis<prod_others_tangent, 2> {
  static constexpr std::string_view name = "prod_others_tangent";
  static constexpr bool host_only = true;
  static void evaluate(out y, const at::Tensor& v, const at::Tensor& x, const attributes& a);
} prod_others_tangent;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/axis_loop.ipp>

namespace koila {

inline void prod_others_tangent::evaluate(out y, const at::Tensor& v, const at::Tensor& x, const attributes& a) {
  std::vector<detail::dual> before;
  detail::for_each_line_of_numbers(y, x, v, {}, a, [&](std::int64_t n, auto of, auto along, auto, auto put) {
    before.resize(static_cast<std::size_t>(n));
    detail::pull_back_products(
        n, [=](std::int64_t i) { return detail::dual{of(i), along(i)}; },
        [=](std::int64_t i) { return detail::dual{i == n - 1 ? 1.0 : 0.0}; }, before.data(),
        [=](std::int64_t i, const detail::dual& value) { put(i, value.d); });
  });
}

}  // namespace koila
#endif
