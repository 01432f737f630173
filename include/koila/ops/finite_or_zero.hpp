#pragma once
// finite_or_zero: what a log-sum-exp is shifted by.
#include <koila/ops/family/elementwise.hpp>

namespace koila {

/// (...) -> (...): x, the largest finite number in place of infinity, so that beside it
/// exponentials of others are 0, and 0 in place of minus infinity. Without a gradient: what it is
/// added to and taken from again does not depend on it.
inline constexpr struct finite_or_zero : unary<finite_or_zero> {
  static constexpr std::string_view name = "finite_or_zero";
  static void evaluate(out y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto&) { return gradients(no_gradient); }
} finite_or_zero;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/nan_to_num_ops.h>

#include <limits>

namespace koila {

KOILA_INLINE void finite_or_zero::evaluate(out y, const at::Tensor& x) {
  at::_ops::nan_to_num_out::call(x, std::numeric_limits<double>::quiet_NaN(), std::nullopt, 0.0, y);
}

}  // namespace koila
#endif
