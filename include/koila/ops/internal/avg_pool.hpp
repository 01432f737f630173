#pragma once
// avg_pool: average pooling over any number of spatial dims, adaptive or not.
#include <koila/ops/internal/avg_pool_backward.hpp>

namespace koila {

/// (..., in...) -> (..., out...): the mean of each window. avg_pool2d and the other average pools
/// are made of this op.
inline constexpr struct avg_pool : pool_kernel<avg_pool> {
  static constexpr std::string_view name = "avg_pool";
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::pooled(x, a.pooling, true);
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::planes(&x, 1, a.pooling.n, out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> work { return cost_of(x, {}, out); }
  static void evaluate(out y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(avg_pool_backward(dy, x, koila::pooling = a.pooling));
  }
} avg_pool;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/pooling_operators.ipp>

namespace koila {

inline void avg_pool::evaluate(out y, const at::Tensor& x, const attributes& a) {
  if (!detail::on_host(y)) {
    if (y.numel() > 0) detail::pool_operators(a.pooling).mean(y, x);
    return;
  }
  detail::by_floating(y.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    T* to = y.mutable_data_ptr<T>();
    const T* from = detail::data<T>(x);
    const detail::pool p(x, y, a.pooling);
    p.for_each([&](index_t plane, index_t o, const auto& d, const auto& h, const auto& w) {
      detail::wide<T> sum = 0;
      p.elements(d, h, w, [&](index_t e) { sum += static_cast<detail::wide<T>>(from[plane + e]); });
      to[o] = static_cast<T>(sum / static_cast<detail::wide<T>>(p.divisor(d, h, w)));
    });
  });
}

}  // namespace koila
#endif
