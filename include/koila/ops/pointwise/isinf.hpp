// SPDX-License-Identifier: MIT
#pragma once
// isinf: whether x is infinite.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> bool (...): whether x is infinity or minus infinity.
inline constexpr struct isinf : unary_predicate<isinf> {
  static constexpr std::string_view name = "isinf";
  /// The workspace holds the result for minus infinity.
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {2 * static_cast<double>(out.count()), 2 * static_cast<double>(x.bytes() + out.bytes()), out.bytes()};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x);
} isinf;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's isinf"
KOILA_UNARY_FUNCTION(isinf)
