// SPDX-License-Identifier: MIT
#pragma once
// any: whether any element is nonzero.
#include <koila/ops/reduction/truth.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) -> bool (..., ...): true if any element along the dims `dim`, or any element of x,
/// is nonzero. Users call the op as any(x). The object `any` is defined in shape/axis.hpp.
inline constexpr struct any_of : detail::reducing_truth<any_of, monoid::max> {
  static constexpr std::string_view name = "any";
  static constexpr std::string_view aten = "any";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} any_of;

}  // namespace koila::inline v0::internal
