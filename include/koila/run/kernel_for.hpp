// SPDX-License-Identifier: MIT
#pragma once
// The functions that compute an op on a device.
#include <koila/graph/op_info.hpp>

#include <ATen/core/Tensor.h>

namespace koila::inline v0::detail {

/// Returns the functions that compute an op for tensors on a device. If the op's random numbers are
/// drawn on the host and then copied, returns the host's functions.
auto kernel_for(const op_info& op, at::Device device) -> kernel_functions;
/// Draws random numbers into y, on the device of y. `kernel` must be the result of `kernel_for`.
void draw(const op_info& op, const kernel_functions& kernel, at::Tensor& y, const at::Tensor* const* operands,
          const object* attributes, const portion& where);
/// Throws shape_error if neither koila nor LibTorch has a kernel of the op for the device.
void require_kernel(const op_info& op, at::Device device);

}  // namespace koila::inline v0::detail
