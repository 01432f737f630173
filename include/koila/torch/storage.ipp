// SPDX-License-Identifier: MIT
// Definitions of storage.hpp.
#include <koila/torch/storage.hpp>

namespace koila::inline v0::detail {

auto shown(tensor_storage storage, at::IntArrayRef sizes, at::ScalarType type, std::int64_t first,
           c10::DispatchKeySet keys) -> at::Tensor {
  at::Tensor t = at::detail::make_tensor<tensor_impl>(std::move(storage), keys, c10::scalarTypeToTypeMeta(type));
  t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  t.unsafeGetTensorImpl()->set_storage_offset(first);
  return t;
}

}  // namespace koila::inline v0::detail
