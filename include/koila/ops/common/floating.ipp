// SPDX-License-Identifier: MIT
#pragma once
// Helpers of kernels for floating-point values.
#include <koila/ops/common/definitions.hpp>

namespace koila::detail {

/// Calls f(zero of y's type). Throws c10::TypeError if y is not floating-point.
template <class F>
void with_floating_type(const at::Tensor& y, F f) {
  switch (y.scalar_type()) {
    case at::kFloat: return f(float{});
    case at::kDouble: return f(double{});
    case at::kHalf: return f(at::Half{});
    case at::kBFloat16: return f(at::BFloat16{});
    default: TORCH_CHECK_TYPE(false, "a kernel of floating-point values has a value of another type");
  }
}

/// Rounds a number to T. For 16-bit types it is first rounded to float.
template <class T>
auto rounded(double v) -> T {
  if constexpr (std::is_same_v<T, double>) return v;
  else return static_cast<T>(static_cast<float>(v));
}

}  // namespace koila::detail
