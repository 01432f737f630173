// SPDX-License-Identifier: MIT
#pragma once
// sin: the sine of x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

struct cos;

/// (...) -> (...): the sine of x. Integers become float32.
inline constexpr struct sin : unary_floating<sin> {
  static constexpr std::string_view name = "sin";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * detail::call<struct cos>(x));
  }
} sin;

}  // namespace ops
}  // namespace koila::inline v0

#include <koila/ops/pointwise/cos.hpp>

#line 1 "koila's sin"
KOILA_UNARY_FUNCTION(sin)
