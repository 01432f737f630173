#pragma once
// Devices other than the host, which koila itself neither includes nor links: koila::cuda registers
// what there is to ask.
#include <koila/device/allocator.hpp>
#include <koila/device/memory.hpp>
#include <koila/device/status.hpp>

#include <c10/core/Device.h>

#include <array>
#include <atomic>

namespace koila::device {

/// What koila asks of a kind of device. Where a program is run, LibTorch's operators do it.
struct backend {
  /// Bytes that may still be taken on device `index`: what the driver has free and what the caching
  /// allocator would give back.
  auto (*free_memory)(int index) -> index_t;
  /// The settings of the caching allocator.
  auto (*rules)() -> caching_rules;
};

namespace detail {

inline constinit std::array<std::atomic<const backend*>, c10::COMPILE_TIME_MAX_DEVICE_TYPES> backends{};

}  // namespace detail

/// From now on koila runs on devices of this type. `b` must stay; null: no longer.
inline void use(c10::DeviceType type, const backend* b) { detail::backends[static_cast<std::size_t>(type)] = b; }
/// Null where koila does not run on devices of this type, and for the host.
inline auto backend_of(c10::Device d) -> const backend* { return detail::backends[static_cast<std::size_t>(d.type())]; }

/// Bytes that may still be taken on a device. Throws std::invalid_argument for one that koila does
/// not run on.
auto free_memory(c10::Device d) -> index_t;

}  // namespace koila::device

#ifdef KOILA_DEFINITIONS
#include <koila/device/backend.ipp>
#endif
