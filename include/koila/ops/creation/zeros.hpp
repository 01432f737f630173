// SPDX-License-Identifier: MIT
#pragma once
// zeros: a constant filled with zeros.
#include <koila/ops/creation/constants.hpp>

namespace koila::inline v0 {

/// () -> (sizes...): zeros(2_c, 3_c) has only zeros, in float32.
inline constexpr struct zeros : detail::constant_op<zeros> {
  static constexpr std::string_view name = "zeros";
  using attributes = detail::size_attributes;
  static constexpr auto rule(const attributes& a) -> verdict { return rules::sized(a.sizes); }
  static void evaluate(at::Tensor& y, const attributes& a);
} zeros;

}  // namespace koila::inline v0
