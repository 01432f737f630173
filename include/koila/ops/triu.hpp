#pragma once
// triu: what stands on and above a diagonal.
#include <koila/ops/family/triangular.hpp>

namespace koila {

/// (..., n, m) -> (..., n, m): triu(x, diagonal = 0): each matrix on and above the diagonal, and
/// zeros.
inline constexpr struct triu : triangular<triu> {
  static constexpr std::string_view name = "triu";
  static void evaluate(out y, const at::Tensor& x, const attributes& a);
} triu;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/triu_ops.h>

namespace koila {

KOILA_INLINE void triu::evaluate(out y, const at::Tensor& x, const attributes& a) {
  at::_ops::triu_out::call(x, a.diagonal.value, y);
}

}  // namespace koila
#endif
