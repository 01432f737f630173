// SPDX-License-Identifier: MIT
#pragma once
// The arguments of LibTorch's operators that choose elements by an index.
#include <koila/ops/common/definitions.hpp>

namespace koila::detail {

/// Makes the negative elements of an index count from the end, for LibTorch's operators. These
/// refuse elements that are out of range themselves, on a device by an assertion.
inline auto wrapped_index(const at::Tensor& index, std::int64_t n) -> at::Tensor {
  return index.add(index.lt(0).mul(n));
}

/// A value as (outer, n, inner), whose rows are chosen along `dim`, and the index as one dim. For
/// LibTorch's operators.
struct rows_along {
  std::int64_t outer, n, inner;
  at::Tensor index;
  rows_along(const at::Tensor& x, std::int64_t dim, const at::Tensor& at, bool from_end) : index(at.reshape(-1)) {
    const auto d = static_cast<std::size_t>(dim < 0 ? dim + x.dim() : dim);
    outer = c10::multiply_integers(x.sizes().slice(0, d)), n = x.sizes()[d];
    inner = c10::multiply_integers(x.sizes().slice(d + 1));
    if (from_end) index = wrapped_index(index, n);
  }
  auto all(const at::Tensor& x) const -> at::Tensor { return x.view({outer, n, inner}); }
  auto chosen(const at::Tensor& y) const -> at::Tensor { return y.view({outer, index.numel(), inner}); }
};

/// The source as LibTorch's operators take it: a source without dims is expanded to the index's
/// dims.
inline auto source_of(const at::Tensor& y, const at::Tensor& index, const at::Tensor& src) -> at::Tensor {
  return src.dim() == 0 ? src.to(y.scalar_type()).expand_as(index) : src;
}

}  // namespace koila::detail
