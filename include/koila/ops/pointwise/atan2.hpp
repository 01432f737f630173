// SPDX-License-Identifier: MIT
#pragma once
// atan2: the angle of the point (b, a).
#include <koila/expr/function.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/eq.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) -> (...), broadcast: the angle of the point (b, a), from -pi to pi. Integers
/// become float32.
inline constexpr struct atan2 : detail::binary_by_libm<atan2> {
  static constexpr std::string_view name = "atan2";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    return rules::broadcast(a, b, rules::floating(result_type(a, b)));
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    const auto square = add(mul(a, a), mul(b, b));
    const auto per_square = where(eq(square, 0), 0, div(dy, square));  // the gradient is 0 at the point (0, 0)
    return gradients(internal::sum_to(mul(per_square, b), a), internal::sum_to(neg(mul(per_square, a)), b));
  }
} atan2;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's atan2"
KOILA_BINARY_FUNCTION(atan2)
