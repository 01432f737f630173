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
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/whole_vectors.ipp>

#include <ATen/ops/mish_ops.h>

namespace koila {

KOILA_INLINE void mish::evaluate(out y, const at::Tensor& x) {
  detail::in_whole_vectors(y, at::_ops::mish_out::call, x);
}

}  // namespace koila
#endif
