// SPDX-License-Identifier: MIT
#pragma once
// ties: marks the elements that equal an extreme.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): 1 where x equals y, else 0, in the dtype of x. The op has no gradient.
inline constexpr struct ties : binary<ties> {
  static constexpr std::string_view name = "ties";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& x, const dims& y) -> verdict {
    if (x.type != dtype::unknown && y.type != dtype::unknown && x.type != y.type) return reason::dtypes_differ;
    return rules::broadcast(x, y, x.type);
  }
  static void evaluate(at::Tensor& tied, const at::Tensor& x, const at::Tensor& y);
  static constexpr auto gradient(const auto&, const auto&, const auto&, const auto&) {
    return gradients(no_gradient, no_gradient);
  }
} ties;

}  // namespace koila::inline v0::internal
