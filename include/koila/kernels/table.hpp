// SPDX-License-Identifier: MIT
#pragma once
// The kernel table: for each op, the kernels of each type of device. A device's kernels register
// themselves in files of their own, and no op knows them.
#include <koila/graph/info_of.hpp>

#include <c10/core/DeviceType.h>

namespace koila::detail {

/// For tests: LibTorch's operators compute with tensors on the host, as they do on other devices.
inline std::atomic<bool> by_operators_only{false};

}  // namespace koila::detail

namespace koila::kernels {

/// Registers kernels of an op for one type of device. `Kernel` has `evaluate`, `accumulate`,
/// `evaluate_both` or `draw`, as an op does. For example, with
/// `struct my_relu { static void evaluate(at::Tensor& y, const at::Tensor& x); };`:
/// `const kernels::registration<struct koila::relu, my_relu, at::kPrivateUse1> registered;`.
/// The object must exist before any plan is made, and until the program ends. An op has one kernel
/// for a type of device: which of two counts is not specified.
template <class Op, class Kernel, at::DeviceType Device>
class registration {
 public:
  registration() {
    [&]<std::size_t... N>(std::index_sequence<N...>) {
      static_assert((has_functions<N>() || ...), "a kernel has a function of its op, with the op's operands");
      (add<N>(), ...);
    }(std::make_index_sequence<most_operands + 1>{});
  }
  registration(const registration&) = delete;
  auto operator=(const registration&) -> registration& = delete;

 private:
  registered_kernel kernels_[most_operands + 1];

  /// The functions of the kernel for N operands.
  template <std::size_t N>
  static constexpr auto functions() -> kernel_functions {
    if constexpr (detail::takes<Op, N>()) return detail::kernel_functions_of<Op, Kernel>(std::make_index_sequence<N>{});
    else return {};
  }
  template <std::size_t N>
  static constexpr auto has_functions() -> bool {
    constexpr kernel_functions f = functions<N>();
    return f.evaluate != nullptr || f.accumulate != nullptr || f.evaluate_both != nullptr || f.draw != nullptr;
  }
  template <std::size_t N>
  void add() {
    if constexpr (has_functions<N>()) {
      constexpr kernel_functions f = functions<N>();
      constexpr kernel_functions own = detail::kernel_functions_of<Op, Op>(std::make_index_sequence<N>{});
      static_assert(f.accumulate == nullptr || own.accumulate != nullptr,
                    "a kernel accumulates if its op does: a plan must know that");
      std::atomic<const registered_kernel*>& first = detail::kernels_of<Op, N>;
      kernels_[N] = {static_cast<int>(Device), f, first.load()};
      while (!first.compare_exchange_weak(kernels_[N].next, &kernels_[N])) {}
    }
  }
};

/// Returns the functions that compute an op on a type of device: the registered ones, and the op's
/// own in place of those that are not.
inline auto functions_for(const op_info& op, at::DeviceType device) -> kernel_functions {
  kernel_functions f = op.operators;
  const bool has_operators = f.evaluate != nullptr || f.draw != nullptr;
  if (has_operators && detail::by_operators_only.load(std::memory_order_relaxed)) return f;
  for (const registered_kernel* k = op.kernels->load(std::memory_order_acquire); k != nullptr; k = k->next) {
    if (k->device_type != static_cast<int>(device)) continue;
    if (k->functions.evaluate != nullptr) f.evaluate = k->functions.evaluate;
    if (k->functions.accumulate != nullptr) f.accumulate = k->functions.accumulate;
    if (k->functions.evaluate_both != nullptr) f.evaluate_both = k->functions.evaluate_both;
    if (k->functions.draw != nullptr) f.draw = k->functions.draw;
    break;
  }
  return f;
}

}  // namespace koila::kernels
