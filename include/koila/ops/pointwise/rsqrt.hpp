// SPDX-License-Identifier: MIT
#pragma once
// rsqrt: 1 / sqrt(x).
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

/// (...) -> (...): 1 / sqrt(x). Integers become float32.
inline constexpr struct rsqrt : author::unary_floating<rsqrt> {
  static constexpr std::string_view name = "rsqrt";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr bool sets_errno = true;  // sqrt may set errno: compilers vectorise it only with -fno-math-errno
  [[gnu::always_inline]] static auto element(auto x) { return 1 / detail::root_of(x); }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) {
    return gradients(dy * (y * y * y * -0.5));
  }
} rsqrt;

}  // namespace koila::inline v0
