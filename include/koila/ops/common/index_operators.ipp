// SPDX-License-Identifier: MIT
#pragma once
// The arguments of LibTorch's operators for choosing elements by an index.
#include <koila/ops/common/definitions.hpp>

namespace koila::inline v0::detail {

/// Adds n to the negative elements of an index, because negative elements count from the end.
/// LibTorch's operators check the range of the elements. On a device, an element out of range
/// fails an assertion.
inline auto wrapped_index(const at::Tensor& index, std::int64_t n) -> at::Tensor {
  return index.add(index.lt(0).mul(n));
}

/// The arguments of LibTorch's operators that choose slices along `dim`. These are views of the
/// tensors as (outer, n, inner), and the index flattened to one dim.
struct rows_along {
  std::int64_t outer, n, inner;
  at::Tensor index;
  rows_along(const at::Tensor& x, std::int64_t dim, const at::Tensor& positions, bool from_end)
      : index(positions.reshape(-1)) {
    const auto d = static_cast<std::size_t>(dim < 0 ? dim + x.dim() : dim);
    outer = c10::multiply_integers(x.sizes().slice(0, d)), n = x.sizes()[d];
    inner = c10::multiply_integers(x.sizes().slice(d + 1));
    if (from_end) index = wrapped_index(index, n);
  }
  auto all(const at::Tensor& x) const -> at::Tensor { return x.view({outer, n, inner}); }
  auto chosen(const at::Tensor& y) const -> at::Tensor { return y.view({outer, index.numel(), inner}); }
};

/// Returns the source as an argument of LibTorch's operators. A scalar source is expanded to the
/// dims of the index.
inline auto source_of(const at::Tensor& y, const at::Tensor& index, const at::Tensor& src) -> at::Tensor {
  return src.dim() == 0 ? src.to(y.scalar_type()).expand_as(index) : src;
}

}  // namespace koila::inline v0::detail
