// SPDX-License-Identifier: MIT
#pragma once
// ones: a constant filled with ones.
#include <koila/ops/creation/constants.hpp>

namespace koila::inline v0 {

/// () -> (sizes...): ones(2_c, 3_c) has only ones, in float32.
inline constexpr struct ones : detail::constant_op<ones> {
  static constexpr std::string_view name = "ones";
  using attributes = detail::size_attributes;
  static constexpr auto rule(const attributes& a) -> verdict { return rules::sized(a.sizes); }
  static void evaluate(at::Tensor& y, const attributes& a);
} ones;

}  // namespace koila::inline v0
