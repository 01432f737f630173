#pragma once
// Tensors that a program makes: with memory, or with storage that gets it later.
#include <koila/device/memory.hpp>
#include <koila/run/out_of_memory.hpp>
#include <koila/run/tensor.hpp>

#include <ATen/ops/empty_ops.h>

#include <cmath>
#include <limits>

namespace koila::detail {

inline auto empty(const at::IntArrayRef size, at::ScalarType type, at::Device device) -> at::Tensor {
  if (device.is_cpu()) return at::Tensor(at::detail::empty_cpu(size, type));  // past the dispatcher
  return at::_ops::empty_memory_format::call(c10::fromIntArrayRefSlow(size), type, std::nullopt, device, std::nullopt,
                                             std::nullopt);
}

/// Memory for values, fresh. Throws as `allocated` does.
inline auto fresh(const at::IntArrayRef size, at::ScalarType type, at::Device device) -> at::Tensor {
  at::Tensor t = allocated([&] { return empty(size, type, device); });
  if (t.is_cpu()) device::prefer_huge_pages(t.mutable_data_ptr(), static_cast<index_t>(t.nbytes()));
  return t;
}

/// Fills with a number: infinity where the dtype holds none as large, as where LibTorch's operators
/// convert one.
inline void fill_with(at::Tensor& t, double v) {
  const bool fits = !at::isFloatingType(t.scalar_type()) || holds(dtype_of(t), v);
  t.fill_(fits ? v : std::copysign(std::numeric_limits<double>::infinity(), v));
}

/// Storage of so many bytes for which there is no memory yet.
inline auto promised(index_t bytes, at::Device device) -> c10::Storage {
  return {c10::Storage::use_byte_size_t(), static_cast<std::size_t>(bytes), at::DataPtr(nullptr, device), nullptr,
          false};
}

/// A tensor that shows the elements of a storage from one on.
inline auto shown(c10::Storage storage, const dims& d, std::int64_t first, c10::DispatchKeySet keys) -> at::Tensor {
  at::Tensor t = at::detail::make_tensor<c10::TensorImpl>(std::move(storage), keys,
                                                          c10::scalarTypeToTypeMeta(scalar_type(d.type)));
  t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes(d));
  t.unsafeGetTensorImpl()->set_storage_offset(first);
  return t;
}

/// The batch part of an axis split off: (before, outer x batch x inner, after) -> (before, outer,
/// batch, inner, after).
inline auto split_rows(const at::Tensor& t, const relation& r) -> at::Tensor {
  const auto n = t.size(r.axis) / (r.outer * r.inner);
  return t.unflatten(r.axis, {r.outer, n, r.inner});
}

}  // namespace koila::detail
