// SPDX-License-Identifier: MIT
#pragma once
// baddbmm: products of two stacks of matrices, added to a value.
#include <koila/ops/linalg/bmm.hpp>
#include <koila/ops/linalg/products.hpp>

namespace koila::inline v0 {

/// (...) x (b, m, k) x (b, k, n) -> (b, m, n): beta * input + alpha * (a b) for each pair of
/// matrices. The input is broadcast. beta and alpha are numbers, 1 by default.
inline constexpr struct baddbmm : author::op<baddbmm, 3> {
  static constexpr std::string_view name = "baddbmm";
  using attributes = detail::blend_attributes;
  static constexpr auto rule(const dims& input, const dims& a, const dims& b, const attributes& f) -> verdict {
    return rules::blend(input, bmm.rule(a, b), f);
  }
  static constexpr auto expand(const auto& input, const auto& a, const auto& b, const attributes& f) {
    return detail::blend(input, bmm(a, b), f);
  }
} baddbmm;

}  // namespace koila::inline v0
