// SPDX-License-Identifier: MIT
#pragma once
// Copies of values.
#include <koila/kernels/routine.hpp>

namespace koila::kernels {

/// Copies x to y, of the same sizes, by LibTorch's operator. For a transposed matrix the operator
/// would allocate a buffer, so both matrices are transposed before the call.
void copy_by_operator(at::Tensor& y, const at::Tensor& x);

/// Copies x to y, of the same sizes. Allocates nothing that the memory plan does not count.
extern routine<void(at::Tensor& y, const at::Tensor& x)> copy;
/// Copies x to y, which has the same sizes, strides and dtype. `elements` is the address of y's
/// elements. On the host it cannot fail if the tensors are dense.
extern routine<void(const at::Tensor& y, void* elements, const at::Tensor& x)> overwrite;

}  // namespace koila::kernels
