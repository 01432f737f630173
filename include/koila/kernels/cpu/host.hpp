// SPDX-License-Identifier: MIT
#pragma once
// Shared by the host's kernels. Each file in ops/ has the kernels of one op, and is named after
// this op. The file is compiled together with the op's `op_table` (see CMakeLists.txt).
#include <koila/kernels/routine.hpp>
#include <koila/ops/common/definitions.hpp>

namespace koila::inline v0::kernels::cpu {

/// Registers kernels for tensors on the host.
template <class Op, class Kernel>
using host_kernel = registration<Op, Kernel, at::kCPU>;

/// Registers implementations of routines for tensors on the host.
template <auto& Routine, auto Function>
using host_routine = routine_registration<Routine, Function, at::kCPU>;

/// The init priority of the objects that register host kernels. With this priority, these objects
/// are initialised before the objects of users' files, whose initialisers may call ops.
inline constexpr int registered_first = 200;

}  // namespace koila::inline v0::kernels::cpu
