// SPDX-License-Identifier: MIT
#pragma once
// tril: the lower triangle of each matrix.
#include <koila/ops/linalg/triangular.hpp>

namespace koila::inline v0 {

/// (..., n, m) -> (..., n, m): tril(x, diagonal = 0): the elements on and below the diagonal of
/// each matrix. All other elements become 0.
inline constexpr struct tril : detail::triangular<tril> {
  static constexpr std::string_view name = "tril";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} tril;

}  // namespace koila::inline v0
