// SPDX-License-Identifier: MIT
#pragma once
// erf: the error function of x.
#include <koila/expr/function.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/exp.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the error function of x. Integers become float32.
inline constexpr struct erf : unary_floating<erf> {
  static constexpr std::string_view name = "erf";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::erf_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * (ops::exp(-(x * x)) * 1.12837916709551257390));
  }
} erf;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's erf"
KOILA_UNARY_FUNCTION(erf)
