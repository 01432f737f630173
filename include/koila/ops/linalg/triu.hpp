// SPDX-License-Identifier: MIT
#pragma once
// triu: the upper triangle of each matrix.
#include <koila/ops/linalg/triangular.hpp>

namespace koila::inline v0 {

/// (..., n, m) -> (..., n, m): triu(x, diagonal = 0): the elements on and above the diagonal of
/// each matrix. All other elements become 0.
inline constexpr struct triu : detail::triangular<triu> {
  static constexpr std::string_view name = "triu";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} triu;

}  // namespace koila::inline v0
