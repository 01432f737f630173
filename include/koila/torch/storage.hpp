// SPDX-License-Identifier: MIT
#pragma once
// Storages whose memory comes and goes, and tensors that move from one storage to another.
#include <ATen/core/Tensor.h>

namespace koila::detail {

using tensor_storage = c10::Storage;
/// What a tensor refers to. All its handles see a change.
using tensor_impl = c10::TensorImpl;

/// Returns storage for `bytes` bytes that has no memory yet.
inline auto promised(std::int64_t bytes, at::Device device) -> tensor_storage {
  return {tensor_storage::use_byte_size_t(), static_cast<std::size_t>(bytes), at::DataPtr(nullptr, device), nullptr,
          false};
}
/// Gives a storage the memory at an address, which it does not own. Null: it has none.
inline void set_memory(const tensor_storage& s, void* memory, at::Device device) {
  s.unsafeGetStorageImpl()->set_data_ptr_noswap(at::DataPtr(memory, device));
}
/// Returns a contiguous tensor over a storage, from element `first` on.
auto shown(tensor_storage storage, at::IntArrayRef sizes, at::ScalarType type, std::int64_t first,
           c10::DispatchKeySet keys) -> at::Tensor;
inline auto impl_of(const at::Tensor& t) -> tensor_impl* { return t.unsafeGetTensorImpl(); }
/// Makes a tensor show another storage. Sizes, strides and offset stay.
inline void point_to(tensor_impl* t, const tensor_storage& s) { t->set_storage_keep_dtype(s); }
/// Changes the offset of a tensor in its storage, in elements.
inline void set_offset(tensor_impl* t, std::int64_t offset) { t->set_storage_offset(offset); }
/// Makes a tensor contiguous that differs from one only in the strides of dims of extent 1.
inline void set_contiguous(const at::Tensor& t, at::IntArrayRef sizes) { impl_of(t)->set_sizes_contiguous(sizes); }
/// The identity of a tensor's storage.
inline auto storage_of(const at::Tensor& t) -> const void* {
  return t.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

}  // namespace koila::detail
