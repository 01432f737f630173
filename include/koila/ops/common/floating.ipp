// SPDX-License-Identifier: MIT
#pragma once
// Helpers of kernels for floating-point values.
#include <koila/ops/common/definitions.hpp>

#include <utility>

namespace koila::inline v0::detail {

/// Calls f with a zero of the C++ type of this dtype. Throws c10::TypeError if the dtype is not
/// floating-point.
template <class F>
void with_floating_type(at::ScalarType type, F f) {
  switch (type) {
    case at::kFloat: return f(float{});
    case at::kDouble: return f(double{});
    case at::kHalf: return f(at::Half{});
    case at::kBFloat16: return f(at::BFloat16{});
    default: TORCH_CHECK_TYPE(false, "not a floating-point dtype: ", type);
  }
}
template <class F>
void with_floating_type(const at::Tensor& y, F f) {
  with_floating_type(y.scalar_type(), std::move(f));
}

/// Rounds a number to T. For 16-bit types, the number is first rounded to float.
template <class T>
auto rounded(double v) -> T {
  if constexpr (std::is_same_v<T, double>) return v;
  else return static_cast<T>(static_cast<float>(v));
}

}  // namespace koila::inline v0::detail
