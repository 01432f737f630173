// SPDX-License-Identifier: MIT
#pragma once
// softmin: the softmax of -x along `dim`.
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/reduction/softmax.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., n, ...): the softmax of -x along `dim`.
inline constexpr struct softmin : author::op<softmin, 1> {
  static constexpr std::string_view name = "softmin";
  using attributes = detail::along_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return softmax.rule(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) { return softmax(neg(x), koila::dim = a.dim); }
} softmin;

}  // namespace koila::inline v0
