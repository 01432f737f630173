// SPDX-License-Identifier: MIT
// Definitions of tensor.hpp.
#include <koila/torch/tensor.hpp>

#include <ATen/core/Formatting.h>
#include <ATen/ops/from_blob.h>

namespace koila::inline v0::detail {

auto detached_alias(const at::Tensor& x) -> at::Tensor {
  at::Tensor t = at::detail::make_tensor<c10::TensorImpl>(c10::Storage(x.storage()), x.key_set(), x.dtype());
  t.unsafeGetTensorImpl()->set_sizes_and_strides(x.sizes(), x.strides(), x.storage_offset());
  if (x.is_contiguous()) t.unsafeGetTensorImpl()->set_sizes_contiguous(x.sizes());
  return t;
}

auto over_memory(float* elements, at::IntArrayRef sizes) -> at::Tensor {
  return at::from_blob(elements, sizes, at::kFloat);
}
void print(std::ostream& os, const at::Tensor& t) { at::print(os, t, 80); }

}  // namespace koila::inline v0::detail
