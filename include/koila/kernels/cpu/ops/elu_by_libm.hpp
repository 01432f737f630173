// SPDX-License-Identifier: MIT
#pragma once
// Shared by the kernels of elu, celu and selu.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/activation/elu_base.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

/// Computes y by libm in float64, and by LibTorch's operator in other dtypes.
inline void elu_by_libm(at::Tensor& y, const at::Tensor& x, const internal::elu_attributes& f) {
  const auto of_elements = [bent = f.alpha.value * f.scale.value, scale = f.scale.value,
                            inner = f.input_scale.value](auto x) {
    using T = decltype(x);
    return x < 0 ? std::expm1(x * static_cast<T>(inner)) * static_cast<T>(bent) : x * static_cast<T>(scale);
  };
  if (!detail::each_double_by_libm(y, of_elements, x)) detail::elu_into(y, x, f);
}

}  // namespace koila::inline v0::kernels::cpu
