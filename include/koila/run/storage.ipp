// SPDX-License-Identifier: MIT
#pragma once
// The tensors that a program makes. Some have memory. The others have a storage that gets its
// memory later.
#include <koila/device/tensor.hpp>
#include <koila/run/tensor.hpp>
#include <koila/torch/out_of_memory.hpp>
#include <koila/torch/storage.hpp>

#include <cmath>
#include <limits>

namespace koila::inline v0::detail {

using device::empty;

/// Returns a new tensor whose elements are not initialised. Throws the exceptions of `allocated`.
inline auto fresh(const at::IntArrayRef size, at::ScalarType type, at::Device device) -> at::Tensor {
  at::Tensor t = allocated([&] { return empty(size, type, device); });
  device::prefer_huge_pages(t);
  return t;
}

/// Fills a tensor with a number. Writes infinity if the number is too large for a floating dtype,
/// as conversions in LibTorch's operators do.
inline void fill_with(at::Tensor& t, double v) {
  const bool fits = !at::isFloatingType(t.scalar_type()) || holds(dtype_of(t), v);
  t.fill_(fits ? v : std::copysign(std::numeric_limits<double>::infinity(), v));
}

/// Returns a contiguous tensor over a storage, from element `first` on.
inline auto shown(tensor_storage storage, const dims& d, std::int64_t first, dispatch_keys keys) -> at::Tensor {
  return shown(std::move(storage), sizes(d), scalar_type(d.type), first, keys);
}

/// Splits n samples out of an axis: (before, outer x n x inner, after) -> (before, outer, n, inner,
/// after). `outer` and `inner` may be 0, so n cannot be derived from the tensor.
inline auto split_rows(const at::Tensor& t, const batch_relation& r, index_t n) -> at::Tensor {
  return t.unflatten(r.axis, {r.outer, n, r.inner});
}

}  // namespace koila::inline v0::detail
