// SPDX-License-Identifier: MIT
#pragma once
// Hashes that constant expressions can compute.
#include <cstddef>

namespace koila::inline v0::detail {

/// Combines the hash h of earlier values with x. The first call takes h = 0.
constexpr auto mix(std::size_t h, std::size_t x) -> std::size_t {
  h = (h ^ x) * 0x9E3779B97F4A7C15ULL;
  return h ^ (h >> 29);
}

}  // namespace koila::inline v0::detail
