#pragma once
// How much memory there is to take now.
#include <koila/shape/axis.hpp>
#include <koila/shape/cold.hpp>

#include <string>

namespace koila::device {

/// What is left to the rest of the system when koila decides for itself: 1/16 of what is free, and at least this many bytes.
inline constexpr index_t least_reserve = index_t{64} << 20;

/// Bytes that this process may still take on the host: the smaller of MemAvailable and the headroom of its cgroups, v1 and v2.
/// The largest number where nothing is known. `root` is where /proc and /sys are, for tests.
auto free_host_memory(const std::string& root = "") -> index_t;

/// What koila lets itself take of so many free bytes: all but the reserve.
constexpr auto budget_of(index_t free) -> index_t {
  const index_t reserve = free / 16 > least_reserve ? free / 16 : least_reserve;
  return free > reserve ? free - reserve : 0;
}

}  // namespace koila::device

#ifdef KOILA_DEFINITIONS
#include <koila/device/memory.ipp>
#endif
