// SPDX-License-Identifier: MIT
#pragma once
// Devices other than the host. koila itself does not include or link their libraries. koila::cuda
// registers the functions that koila calls.
#include <koila/device/allocator.hpp>
#include <koila/device/memory.hpp>
#include <koila/device/status.hpp>

#include <c10/core/Device.h>

#include <array>
#include <atomic>

namespace koila::device {

/// The functions that koila calls for one type of device. LibTorch's operators run the programs
/// there.
struct backend {
  /// Returns the bytes that can still be allocated on device `index`: those that the driver has
  /// free, and those that the caching allocator would return to it.
  auto (*free_memory)(int index) -> index_t;
  /// Returns the settings of the caching allocator.
  auto (*rules)() -> caching_rules;
};

namespace detail {

inline constinit std::array<std::atomic<const backend*>, c10::COMPILE_TIME_MAX_DEVICE_TYPES> backends{};

}  // namespace detail

/// Lets koila run on devices of this type. `b` must stay alive. Null: koila no longer runs there.
inline void use(c10::DeviceType type, const backend* b) { detail::backends[static_cast<std::size_t>(type)] = b; }
/// Returns the functions of a device. Returns null for the host, which needs none, and for devices
/// on which koila does not run.
inline auto backend_of(c10::Device d) -> const backend* { return detail::backends[static_cast<std::size_t>(d.type())]; }

/// Returns true if koila runs on a device.
inline auto runs_on(c10::Device d) -> bool { return d.is_cpu() || backend_of(d) != nullptr; }

/// Returns the bytes that can still be allocated on a device. Throws argument_error if koila
/// does not run on it.
auto free_memory(c10::Device d) -> index_t;
/// Returns the bytes that could be allocated on a device at most `age` nanoseconds ago. For devices
/// other than the host, the figure is always new. Throws argument_error if koila does not run on
/// the device.
auto free_memory_now(c10::Device d, std::int64_t age) -> memory_reading;

}  // namespace koila::device
