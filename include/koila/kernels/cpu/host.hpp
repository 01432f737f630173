// SPDX-License-Identifier: MIT
#pragma once
// Included by the kernels of the host. Each file of ops/ has the kernels of the op of its
// name, and is compiled with that op's table (see CMakeLists.txt).
#include <koila/kernels/table.hpp>

namespace koila::kernels::cpu {

/// Registers kernels for tensors on the host. They read and write elements themselves.
template <class Op, class Kernel>
using host_kernel = registration<Op, Kernel, at::kCPU>;

}  // namespace koila::kernels::cpu
