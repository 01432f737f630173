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

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/tril_ops.h>

namespace koila::inline v0 {

inline void tril::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::tril_out::call(x, a.diagonal.value, y);
}

}  // namespace koila::inline v0
#endif
