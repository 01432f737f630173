#pragma once
// cumprod_tangent: the directional derivative of cumprod.
#include <koila/ops/reduction/axis_loop.hpp>

namespace koila {

/// (..., n, ...) x (..., n, ...) -> (..., n, ...): the derivative of cumprod(x) in a direction v.
/// The operands are v and x.
inline constexpr struct cumprod_tangent : on_axis<cumprod_tangent, 2> {
  static constexpr std::string_view name = "cumprod_tangent";
  static constexpr bool host_only = true;
  static void evaluate(out y, const at::Tensor& v, const at::Tensor& x, const attributes& a);
} cumprod_tangent;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/axis_loop.ipp>

namespace koila {

inline void cumprod_tangent::evaluate(out y, const at::Tensor& v, const at::Tensor& x, const attributes& a) {
  detail::for_each_line_of_numbers(y, x, v, {}, a, [](std::int64_t n, auto of, auto along, auto, auto put) {
    detail::dual product{1};
    for (std::int64_t i = 0; i < n; ++i) {
      product = product * detail::dual{of(i), along(i)};
      put(i, product.d);
    }
  });
}

}  // namespace koila
#endif
