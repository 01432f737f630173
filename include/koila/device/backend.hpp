// SPDX-License-Identifier: MIT
#pragma once
// Devices other than the host. koila itself does not include or link a device's libraries. The
// library koila::cuda registers the functions that koila calls.
#include <koila/device/allocator.hpp>
#include <koila/device/memory.hpp>
#include <koila/device/status.hpp>

#include <c10/core/Device.h>

#include <array>
#include <atomic>

namespace koila::inline v0::device {

/// The functions that koila calls for one type of device. On such devices, programs run LibTorch's
/// operators.
struct backend {
  /// Returns the bytes that can still be allocated on device `index`: the driver's free bytes plus
  /// the bytes that the caching allocator would return to the driver.
  auto (*free_memory)(int index) -> index_t;
  /// Returns the settings of the caching allocator.
  auto (*rules)() -> caching_rules;
};

namespace detail {

inline constinit std::array<std::atomic<const backend*>, c10::COMPILE_TIME_MAX_DEVICE_TYPES> backends{};

}  // namespace detail

/// Registers the functions for a type of device, so that koila runs on such devices. `b` must
/// stay alive. If `b` is null, koila no longer runs on this type of device.
inline void use(c10::DeviceType type, const backend* b) { detail::backends[static_cast<std::size_t>(type)] = b; }
/// Returns the functions for a device. Returns null for the host, which needs no such functions,
/// and for devices on which koila does not run.
inline auto backend_of(c10::Device d) -> const backend* { return detail::backends[static_cast<std::size_t>(d.type())]; }

/// Returns true if koila runs on a device.
inline auto runs_on(c10::Device d) -> bool { return d.is_cpu() || backend_of(d) != nullptr; }

/// Returns the bytes that can still be allocated on a device. Throws argument_error if koila does
/// not run on the device.
auto free_memory(c10::Device d) -> index_t;
/// Returns the bytes that can still be allocated on a device, from a reading that is at most `age`
/// nanoseconds old. For devices other than the host, `age` is ignored and the memory is read at
/// each call. Throws argument_error if koila does not run on the device.
auto free_memory_now(c10::Device d, std::int64_t age) -> memory_reading;

}  // namespace koila::inline v0::device
