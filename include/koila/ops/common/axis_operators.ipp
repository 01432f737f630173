// SPDX-License-Identifier: MIT
#pragma once
// Helpers of ops along one dim, for calls of LibTorch's operators.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0::detail {

/// Returns x, or x flattened to one dim if no dim is given. In that case the whole of x is one
/// line along dim 0.
inline auto with_lines(const at::Tensor& x, const along_attributes& a) -> at::Tensor {
  return a.all() ? x.view({-1}) : x;
}
inline auto line_dim(const along_attributes& a) -> std::int64_t { return a.all() ? 0 : a.dim.value; }
/// Writes to y, for each element of x, the product of all other elements of the same line. This
/// is the product of the preceding elements times the product of the following elements.
inline void products_of_others(at::Tensor& y, const at::Tensor& x, const along_attributes& a) {
  if (x.numel() == 0) return;
  const at::Tensor lines = with_lines(x, a), to = with_lines(y, a);
  to.fill_(1);
  if (lines.dim() == 0) return;
  const std::int64_t d = line_dim(a), others = lines.size(d) - 1;
  if (others == 0) return;
  to.narrow(d, 1, others).mul_(lines.narrow(d, 0, others).cumprod(d));
  to.narrow(d, 0, others).mul_(lines.narrow(d, 1, others).flip(d).cumprod(d).flip(d));
}

}  // namespace koila::inline v0::detail
