// SPDX-License-Identifier: MIT
#pragma once
// acos: the angle whose cosine is x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/rsqrt.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the angle whose cosine is x. Integers become float32.
inline constexpr struct acos : unary_floating<acos> {
  static constexpr std::string_view name = "acos";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(-(dy * rsqrt(1 - x * x)));
  }
} acos;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's acos"
KOILA_UNARY_FUNCTION(acos)
