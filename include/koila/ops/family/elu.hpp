#pragma once
// What elu, selu and celu share: one kernel with three factors.
#include <koila/ops/elu_backward.hpp>

namespace koila {

/// An op with a member factors(attributes) -> elu_attributes.
template <class Op>
struct elu_like : activation<Op> {
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& a) {
    return gradients(detail::call_with<struct elu_backward>(Op::factors(a), dy, x));
  }
};

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/elu_ops.h>

namespace koila::detail {

inline void elu_into(out y, const at::Tensor& x, const elu_attributes& f) {
  at::_ops::elu_out::call(x, f.alpha.value, f.scale.value, f.input_scale.value, y);
}

}  // namespace koila::detail
#endif
