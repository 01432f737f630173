// SPDX-License-Identifier: MIT
#pragma once
// erfc: 1 minus the error function of x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/exp.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): 1 minus the error function of x. Integers become float32.
inline constexpr struct erfc : unary_floating<erfc> {
  static constexpr std::string_view name = "erfc";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * (ops::exp(-(x * x)) * -1.12837916709551257390));
  }
} erfc;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's erfc"
KOILA_UNARY_FUNCTION(erfc)
