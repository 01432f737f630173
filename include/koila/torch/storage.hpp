// SPDX-License-Identifier: MIT
#pragma once
// Storages whose memory can be set and removed, and tensors that can be moved to another storage.
#include <ATen/core/Tensor.h>

namespace koila::inline v0::detail {

using tensor_storage = c10::Storage;
/// The object to which all handles of a tensor refer. A change of the object is visible through
/// all handles.
using tensor_impl = c10::TensorImpl;
/// The keys by which LibTorch's dispatcher chooses the kernel for a tensor.
using dispatch_keys = c10::DispatchKeySet;

/// Returns a storage of `bytes` bytes that has no memory yet.
inline auto promised(std::int64_t bytes, at::Device device) -> tensor_storage {
  return {tensor_storage::use_byte_size_t(), static_cast<std::size_t>(bytes), at::DataPtr(nullptr, device), nullptr,
          false};
}
/// Sets the memory of a storage, which does not own the memory. If `memory` is null, the storage
/// has no memory.
inline void set_memory(const tensor_storage& s, void* memory, at::Device device) {
  s.unsafeGetStorageImpl()->set_data_ptr_noswap(at::DataPtr(memory, device));
}
/// Returns a contiguous tensor over a storage, from element `first` on.
auto shown(tensor_storage storage, at::IntArrayRef sizes, at::ScalarType type, std::int64_t first, dispatch_keys keys)
    -> at::Tensor;
inline auto impl_of(const at::Tensor& t) -> tensor_impl* { return t.unsafeGetTensorImpl(); }
/// Makes a tensor refer to the storage `s`. Sizes, strides and offset of the tensor stay the
/// same.
inline void point_to(tensor_impl* t, const tensor_storage& s) { t->set_storage_keep_dtype(s); }
/// Changes the offset of a tensor in its storage, in elements.
inline void set_offset(tensor_impl* t, std::int64_t offset) { t->set_storage_offset(offset); }
/// Gives a tensor contiguous strides. The previous strides may differ from these only in dims of
/// extent 1.
inline void set_contiguous(const at::Tensor& t, at::IntArrayRef sizes) { impl_of(t)->set_sizes_contiguous(sizes); }
/// Returns the address of a tensor's storage object, which identifies the storage.
inline auto storage_of(const at::Tensor& t) -> const void* {
  return t.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

}  // namespace koila::inline v0::detail
