// SPDX-License-Identifier: MIT
// Definitions of device/tensor.hpp.
#include <koila/device/memory.hpp>
#include <koila/device/tensor.hpp>

#include <ATen/EmptyTensor.h>
#include <ATen/ops/empty_ops.h>

namespace koila::inline v0::device {

void prefer_huge_pages(const at::Tensor& t) {
  if (t.is_cpu()) prefer_huge_pages(t.mutable_data_ptr(), static_cast<index_t>(t.nbytes()));
}

auto empty(at::IntArrayRef sizes, at::ScalarType type, c10::Device d) -> at::Tensor {
  if (d.is_cpu()) return at::Tensor(at::detail::empty_cpu(sizes, type));  // bypasses the dispatcher
  return at::_ops::empty_memory_format::call(c10::fromIntArrayRefSlow(sizes), type, std::nullopt, d, std::nullopt,
                                             std::nullopt);
}

}  // namespace koila::inline v0::device
