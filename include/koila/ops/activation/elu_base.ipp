// SPDX-License-Identifier: MIT
#pragma once
// Definitions of elu_base.hpp.
#include <koila/ops/activation/elu_base.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/elu_ops.h>

namespace koila::inline v0::detail {

inline void elu_into(at::Tensor& y, const at::Tensor& x, const internal::elu_attributes& f) {
  at::_ops::elu_out::call(x, f.alpha.value, f.scale.value, f.input_scale.value, y);
}

struct elu_of {
  float scale, inner, bent;
  explicit constexpr elu_of(const internal::elu_attributes& f)
      : scale(static_cast<float>(f.scale.value)), inner(static_cast<float>(f.input_scale.value)),
        bent(static_cast<float>(f.alpha.value * f.scale.value)) {}
  [[gnu::always_inline]] auto operator()(float x) const -> float {
    return x > 0.0F ? x * scale : bent * expm1_of(x * inner);
  }
};

template <class Op>
auto elu_elements() -> float_elements {
  if constexpr (std::same_as<attributes_t<Op>, no_attributes>)
    return float_elements_of<Op, 1>([](float x) { return elu_of(Op::factors({}))(x); });
  else
    return float_elements_of<Op, 1>([](float, const attributes_t<Op>& a, auto loop) {
      loop([f = elu_of(Op::factors(a))](float x) { return f(x); });
    });
}

}  // namespace koila::inline v0::detail
