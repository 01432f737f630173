#pragma once
// avg_pool_backward: the gradient of average pooling.
#include <koila/ops/pooling/pooling.hpp>

namespace koila {

/// (..., out...) like (..., in...) -> (..., in...): divides each dy by the divisor of its window
/// and adds it to all elements of the window. Only the dims of the last operand are read.
inline constexpr struct avg_pool_backward : pool_kernel<avg_pool_backward> {
  static constexpr std::string_view name = "avg_pool_backward";
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    return rules::unpooled(dy, x, a.pooling, true);
  }
  static constexpr auto flow(const value& dy, const value&, const dims& out, const attributes& a) -> relations {
    return flows::planes(&dy, 1, a.pooling.n, out);
  }
  static constexpr auto cost(const dims& dy, const dims&, const dims& out) -> work { return cost_of(dy, {}, out); }
  static void evaluate(out dx, const at::Tensor& dy, const at::Tensor&, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call<struct avg_pool>(d, koila::pooling = a.pooling), no_gradient);
  }
} avg_pool_backward;

}  // namespace koila

#include <koila/ops/internal/avg_pool.hpp>

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/pooling_operators.ipp>

namespace koila {

inline void avg_pool_backward::evaluate(out dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
  dx.zero_();
  if (!detail::on_host(dx)) {
    if (dy.numel() > 0) detail::pool_operators(a.pooling).mean_backward(dx, dy);
    return;
  }
  detail::by_floating(dx.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    T* to = dx.mutable_data_ptr<T>();
    const T* from = detail::data<T>(dy);
    const detail::pool p(dx, dy, a.pooling);
    p.for_each([&](index_t plane, index_t o, const auto& d, const auto& h, const auto& w) {
      const auto part =
          static_cast<T>(static_cast<detail::wide<T>>(from[o]) / static_cast<detail::wide<T>>(p.divisor(d, h, w)));
      p.elements(d, h, w, [&](index_t e) { to[plane + e] = static_cast<T>(to[plane + e] + part); });
    });
  });
}

}  // namespace koila
#endif
