// SPDX-License-Identifier: MIT
#pragma once
// fmin: the smaller of a and b, ignoring NaN.
#include <koila/expr/function.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/le.hpp>
#include <koila/ops/pointwise/logical_or.hpp>
#include <koila/ops/pointwise/ne.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) -> (...), broadcast: the smaller of a and b. If one operand is NaN, the result is
/// the other operand.
inline constexpr struct fmin : binary<fmin> {
  static constexpr std::string_view name = "fmin";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    const auto first = logical_or(le(a, b), ne(b, b));  // true where the result is a
    return gradients(internal::sum_to(where(first, dy, 0), a), internal::sum_to(where(first, 0, dy), b));
  }
} fmin;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's fmin"
KOILA_BINARY_FUNCTION(fmin)
