// SPDX-License-Identifier: MIT
#pragma once
// log: the natural logarithm of x.
#include <koila/expr/function.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the natural logarithm of x. Integers become float32.
inline constexpr struct log : unary_floating<log> {
  static constexpr std::string_view name = "log";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::log_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(div(dy, x)); }
} log;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's log"
KOILA_UNARY_FUNCTION(log)
