// SPDX-License-Identifier: MIT
#pragma once
// The kernel table. For each op, the table has the kernels of each type of device. Kernels are
// registered in separate files, so the code of an op does not refer to kernels.
#include <koila/graph/info_of.hpp>

#include <c10/core/DeviceType.h>

namespace koila::inline v0::detail {

/// For tests: if true, LibTorch's operators are used on the host too, as on other devices.
inline std::atomic<bool> by_operators_only{false};

}  // namespace koila::inline v0::detail

namespace koila::inline v0::kernels {

/// Registers kernels of an op for one type of device. `Kernel` must have at least one of the
/// functions `evaluate`, `accumulate`, `evaluate_both` and `draw`, with the same parameters as in
/// the op. `Kernel` may have `accumulate` only if the op has `accumulate`. For example, if you
/// have `struct my_relu { static void evaluate(at::Tensor& y, const at::Tensor& x); };`, write
/// `const kernels::registration<struct koila::relu, my_relu, at::kPrivateUse1> registered;`.
/// Create the object before any plan is made, and keep it until the process exits. If two objects
/// register the same op for the same type of device, it is unspecified which kernel is used.
template <class Op, class Kernel, at::DeviceType Device>
class registration {
 public:
  registration() {
    [&]<std::size_t... N>(std::index_sequence<N...>) {
      static_assert((has_functions<N>() || ...), "a kernel has a function of its op, with the op's operands");
      (add<N>(), ...);
    }(std::make_index_sequence<detail::most_operands + 1>{});
  }
  registration(const registration&) = delete;
  auto operator=(const registration&) -> registration& = delete;

 private:
  detail::registered_kernel kernels_[detail::most_operands + 1];

  /// Returns the functions of the kernel for N operands.
  template <std::size_t N>
  static constexpr auto functions() -> detail::kernel_functions {
    if constexpr (detail::takes_operands<Op, N>())
      return detail::kernel_functions_of<Op, Kernel>(std::make_index_sequence<N>{});
    else return {};
  }
  template <std::size_t N>
  static constexpr auto has_functions() -> bool {
    constexpr detail::kernel_functions f = functions<N>();
    return f.evaluate != nullptr || f.accumulate != nullptr || f.evaluate_both != nullptr || f.draw != nullptr;
  }
  template <std::size_t N>
  void add() {
    if constexpr (has_functions<N>()) {
      constexpr detail::kernel_functions f = functions<N>();
      constexpr detail::kernel_functions own = detail::kernel_functions_of<Op, Op>(std::make_index_sequence<N>{});
      static_assert(f.accumulate == nullptr || own.accumulate != nullptr,
                    "a kernel accumulates if its op does: a plan must know that");
      std::atomic<const detail::registered_kernel*>& first = detail::kernels_of<Op, N>;
      kernels_[N] = {static_cast<int>(Device), f, first.load()};
      while (!first.compare_exchange_weak(kernels_[N].next, &kernels_[N])) {}
    }
  }
};

/// Returns the functions that are registered for an op on a type of device. Functions that are not
/// registered are null.
inline auto registered_for(const detail::op_info& op, at::DeviceType device) -> detail::kernel_functions {
  for (const detail::registered_kernel* k = op.kernels->load(std::memory_order_acquire); k != nullptr; k = k->next)
    if (k->device_type == static_cast<int>(device)) return k->functions;
  return {};
}

/// Returns the functions that compute an op on a type of device. Each of them is the registered
/// function or, if none is registered, the function of the op itself. If random numbers cannot be
/// drawn on the device, `draw` is the function of the host.
inline auto functions_for(const detail::op_info& op, at::DeviceType device) -> detail::kernel_functions {
  detail::kernel_functions f = op.operators;
  const bool has_operators = f.evaluate != nullptr || f.draw != nullptr;
  const bool by_operators = has_operators && detail::by_operators_only.load(std::memory_order_relaxed);
  const detail::kernel_functions own = by_operators ? detail::kernel_functions() : registered_for(op, device);
  if (own.evaluate != nullptr) f.evaluate = own.evaluate;
  if (own.accumulate != nullptr) f.accumulate = own.accumulate;
  if (own.evaluate_both != nullptr) f.evaluate_both = own.evaluate_both;
  if (own.draw != nullptr) f.draw = own.draw;
  f.draws_on_host = f.draw != nullptr && own.draw == nullptr && !op.draws_anywhere && device != at::kCPU;
  if (f.draws_on_host) f.draw = functions_for(op, at::kCPU).draw;
  return f;
}

}  // namespace koila::inline v0::kernels
