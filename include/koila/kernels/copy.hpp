// SPDX-License-Identifier: MIT
#pragma once
// Copies of values.
#include <koila/kernels/routine.hpp>

namespace koila::inline v0::kernels {

/// Copies x to y, which must have the same sizes, by LibTorch's operator. The operator would
/// allocate a buffer for a transposed matrix, so both matrices are transposed before the call.
void copy_by_operator(at::Tensor& y, const at::Tensor& x);

/// Copies x to y, which must have the same sizes. Allocates only memory that the plan counts.
extern routine<void(at::Tensor& y, const at::Tensor& x)> copy;
/// Copies x to y, which must have the same sizes, strides and dtype. `elements` is the address of
/// y's first element. On the host the copy cannot fail if the tensors are dense.
extern routine<void(const at::Tensor& y, void* elements, const at::Tensor& x)> overwrite;

}  // namespace koila::inline v0::kernels
