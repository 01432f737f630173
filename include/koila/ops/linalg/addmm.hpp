// SPDX-License-Identifier: MIT
#pragma once
// addmm: a product of two matrices, added to a value.
#include <koila/ops/linalg/mm.hpp>
#include <koila/ops/linalg/products.hpp>

namespace koila::inline v0 {

/// (...) x (m, k) x (k, n) -> (m, n): beta * input + alpha * (a b). The input is broadcast. beta
/// and alpha are numbers, 1 by default.
inline constexpr struct addmm : author::op<addmm, 3> {
  static constexpr std::string_view name = "addmm";
  using attributes = detail::blend_attributes;
  static constexpr auto rule(const dims& input, const dims& a, const dims& b, const attributes& f) -> verdict {
    return rules::blend(input, mm.rule(a, b), f);
  }
  static constexpr auto expand(const auto& input, const auto& a, const auto& b, const attributes& f) {
    return detail::blend(input, mm(a, b), f);
  }
} addmm;

}  // namespace koila::inline v0
