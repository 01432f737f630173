// SPDX-License-Identifier: MIT
#pragma once
// Copies of values.
#include <koila/kernels/routine.hpp>

namespace koila::kernels {

/// y = x, by LibTorch's operator. It copies a transposed matrix in tiles, by way of a buffer that
/// it allocates. It does not if both matrices are transposed before the call.
void copy_by_operator(at::Tensor& y, const at::Tensor& x);

/// y = x, without buffers that the memory plan does not count.
extern routine<void(at::Tensor& y, const at::Tensor& x)> copy;
/// y = x, for tensors of one dtype and layout. `elements` are those of y. It does not fail for
/// dense tensors on the host.
extern routine<void(const at::Tensor& y, void* elements, const at::Tensor& x)> overwrite;

}  // namespace koila::kernels
