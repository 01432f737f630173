// SPDX-License-Identifier: MIT
#pragma once
// bitwise_not: ~x.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> (...): ~x for integers, logical not for booleans.
inline constexpr struct bitwise_not : author::unary<bitwise_not> {
  static constexpr std::string_view name = "bitwise_not";
  static constexpr auto rule(const dims& x) -> verdict {
    return is_floating(x.type) ? verdict(reason::not_integers) : verdict(x);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x);
} bitwise_not;

}  // namespace koila::inline v0
