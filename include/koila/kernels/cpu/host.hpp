// SPDX-License-Identifier: MIT
#pragma once
// Included by the kernels of the host. Each file of ops/ has the kernels of the op of its name, and
// is compiled with that op's table (see CMakeLists.txt).
#include <koila/kernels/routine.hpp>
#include <koila/ops/common/definitions.hpp>

namespace koila::detail {

/// Returns true if koila's own kernels may compute with a tensor. They read and write elements, so
/// they run only on the host.
inline auto on_host(const at::Tensor& t) -> bool {
  return t.is_cpu() && !by_operators_only.load(std::memory_order_relaxed);
}

}  // namespace koila::detail

namespace koila::kernels::cpu {

/// Registers kernels for tensors on the host.
template <class Op, class Kernel>
using host_kernel = registration<Op, Kernel, at::kCPU>;

/// Registers what programs call besides ops.
template <auto& Routine, auto Function>
using host_routine = routine_registration<Routine, Function, at::kCPU>;

/// The priority with which the kernels of the host are initialised: before the objects of users'
/// files, whose initialisers may call ops.
inline constexpr int registered_first = 200;

}  // namespace koila::kernels::cpu
