// SPDX-License-Identifier: MIT
#pragma once
// Allocation of tensors on any device.
#include <ATen/core/Tensor.h>

namespace koila::inline v0::device {

/// Returns a tensor whose elements are not initialised.
auto empty(at::IntArrayRef sizes, at::ScalarType type, c10::Device d) -> at::Tensor;

/// Asks for large pages for the memory of a new tensor, see memory.hpp. Does nothing if the tensor
/// is not on the host.
void prefer_huge_pages(const at::Tensor& t);

}  // namespace koila::inline v0::device
