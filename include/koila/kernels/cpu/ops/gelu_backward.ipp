// SPDX-License-Identifier: MIT
#pragma once
// gelu_backward on the host. This kernel runs where koila's element-wise kernels do not run. This
// is the case in float64, and in all dtypes if the element-wise kernels are switched off.
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/internal/gelu_backward.hpp>

#include <ATen/TensorIterator.h>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

/// Returns the derivative of gelu at x.
inline auto slope_of_gelu(double x, bool by_tanh) -> double {
  if (!by_tanh)
    return 0.5 * (1 + std::erf(x * 0.70710678118654752440)) + x * (std::exp(-0.5 * x * x) * 0.39894228040143267794);
  const double c = 0.79788456080286535588, k = 0.044715, t = std::tanh(c * (x + k * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * ((1 - t * t) * (c + 3 * k * c * x * x));
}

// LibTorch's operator is not used. In float32 and in 16-bit dtypes, the operator calls oneDNN,
// which throws an exception if dy is broadcast to x.
struct gelu_backward {
  using attributes = koila::internal::gelu_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
    at::TensorIterator all = at::TensorIteratorConfig().add_output(dx).add_const_input(dy).add_const_input(x).build();
    detail::with_floating_type(dx, [&](auto type) {
      using T = decltype(type);
      // A 2-d loop, because g++ 12 warns about LibTorch's code for a 1-d loop.
      all.for_each([by_tanh = a.by_tanh()](char** pointers, const std::int64_t* step, std::int64_t n,
                                           std::int64_t rows) {
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t i = 0; i < n; ++i) {
            const auto element = [&](int k) { return pointers[k] + i * step[k] + r * step[3 + k]; };
            const auto operand = [&](int k) { return static_cast<double>(*reinterpret_cast<const T*>(element(k))); };
            *reinterpret_cast<T*>(element(0)) = detail::rounded<T>(operand(1) * slope_of_gelu(operand(2), by_tanh));
          }
      });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::gelu_backward, gelu_backward>
    gelu_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
