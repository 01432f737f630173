#pragma once
// mish: x tanh(softplus(x)), Misra 2019.
#include <koila/ops/add.hpp>
#include <koila/ops/softplus.hpp>
#include <koila/ops/tanh.hpp>

namespace koila {

/// (...) -> (...): x tanh(softplus(x)), Misra 2019. Of floating-point values.
inline constexpr struct mish : activation<mish> {
  static constexpr std::string_view name = "mish";
  static void evaluate(out y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    const auto t = ops::tanh(softplus(x));
    return gradients(dy * (t + x * sigmoid(x) * (1 - t * t)));
  }
} mish;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/libm.ipp>

#include <ATen/ops/mish_ops.h>

#include <cmath>

namespace koila {

KOILA_INLINE void mish::evaluate(out y, const at::Tensor& x) {
  if (!detail::each_by_libm(y, [](auto x) { return x * std::tanh(std::log1p(std::exp(x))); }, x))
    at::_ops::mish_out::call(x, y);
}

}  // namespace koila
#endif
