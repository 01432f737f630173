// SPDX-License-Identifier: MIT
// Definitions of tensor.hpp.
#include <koila/torch/tensor.hpp>

#include <ATen/core/Formatting.h>
#include <ATen/ops/from_blob.h>

namespace koila::detail {

auto over_memory(float* elements, at::IntArrayRef sizes) -> at::Tensor {
  return at::from_blob(elements, sizes, at::kFloat);
}
void print(std::ostream& os, const at::Tensor& t) { at::print(os, t, 80); }

}  // namespace koila::detail
