// SPDX-License-Identifier: MIT
#pragma once
// What a type of device can do besides running the kernels of single ops.
#include <koila/kernels/table.hpp>

#include <c10/core/Device.h>

#include <array>

namespace koila::inline v0::kernels {

/// The capabilities of a type of device, in addition to running the kernels of single ops. By
/// default all members are false.
struct capabilities {
  bool fuses = false;           // chains of element-wise ops run as one kernel
  bool lends_scratch = false;   // kernels take their scratch memory from a buffer that the program keeps
  bool keeps_programs = false;  // run and backward keep their programs for the next call
};

}  // namespace koila::inline v0::kernels

namespace koila::inline v0::detail {

inline constinit std::array<std::atomic<const kernels::capabilities*>, c10::COMPILE_TIME_MAX_DEVICE_TYPES>
    all_capabilities{};

}  // namespace koila::inline v0::detail

namespace koila::inline v0::kernels {

/// Sets the capabilities of a type of device. `can` must stay valid until the process exits.
inline void use(at::DeviceType device, const capabilities* can) {
  detail::all_capabilities[static_cast<std::size_t>(device)] = can;
}
/// Returns the capabilities of a device. If a test has set `by_operators_only`, only
/// `keeps_programs` can be true.
inline auto capabilities_of(at::Device device) -> capabilities {
  const capabilities* const can =
      detail::all_capabilities[static_cast<std::size_t>(device.type())].load(std::memory_order_acquire);
  if (can == nullptr) return {};
  if (!detail::by_operators_only.load(std::memory_order_relaxed)) return *can;
  return {.keeps_programs = can->keeps_programs};
}

}  // namespace koila::inline v0::kernels
