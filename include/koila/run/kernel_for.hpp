// SPDX-License-Identifier: MIT
#pragma once
// The functions that compute an op on a device.
#include <koila/graph/op_info.hpp>

#include <ATen/core/Tensor.h>

namespace koila::detail {

/// Returns the functions that compute an op for tensors on a device: those of the host for random
/// numbers that are drawn there and copied.
auto kernel_for(const op_info& op, at::Device device) -> kernel_functions;
/// Draws random numbers into y, on the device of y. `kernel`: that of `kernel_for`.
void draw(const op_info& op, const kernel_functions& kernel, at::Tensor& y, const at::Tensor* const* in,
          const object* at, const portion& where);
/// Throws shape_error if the op has no kernel for the device, nor an operator of LibTorch.
void require_kernel(const op_info& op, at::Device device);

}  // namespace koila::detail
