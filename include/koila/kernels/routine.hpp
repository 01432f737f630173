// SPDX-License-Identifier: MIT
#pragma once
// Routines. A routine is a function that a program calls and that is not an op. A type of device
// may have its own implementation of a routine.
#include <koila/kernels/table.hpp>

#include <c10/core/Device.h>

#include <array>

namespace koila::inline v0::kernels {

/// A function that programs call and that is not an op, for example the update of an optimiser. A
/// type of device may register its own implementation. Other devices use `by_operators`, which
/// calls LibTorch's operators.
template <class Signature>
class routine;

template <class R, class... A>
class routine<R(A...)> {
 public:
  using function = R (*)(A...);

  constexpr explicit routine(function by_operators) : by_operators_(by_operators) {}

  /// Sets the implementation for a type of device. Must be called before any program runs on such a
  /// device.
  void use(at::DeviceType device, function own) { own_[static_cast<std::size_t>(device)] = own; }
  /// Returns true if a device has an implementation of its own.
  auto is_own(at::Device device) const -> bool { return own(device) != nullptr; }
  /// Returns the implementation for a device.
  auto for_device(at::Device device) const -> function {
    const function f = own(device);
    return f != nullptr ? f : by_operators_;
  }

 private:
  function by_operators_;
  std::array<std::atomic<function>, c10::COMPILE_TIME_MAX_DEVICE_TYPES> own_{};

  auto own(at::Device device) const -> function {
    if (detail::by_operators_only.load(std::memory_order_relaxed)) return nullptr;
    return own_[static_cast<std::size_t>(device.type())].load(std::memory_order_acquire);
  }
};

/// Registers an implementation for a type of device, as `registration` does for ops.
template <auto& Routine, auto Function, at::DeviceType Device>
struct routine_registration {
  routine_registration() { Routine.use(Device, Function); }
};

}  // namespace koila::inline v0::kernels
