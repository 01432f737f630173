#pragma once
// Hashes that constant expressions can compute.
#include <cstddef>

namespace koila::detail {

/// A hash of what was hashed to h and of x after it; 0 to begin with.
constexpr auto mix(std::size_t h, std::size_t x) -> std::size_t {
  h = (h ^ x) * 0x9E3779B97F4A7C15ULL;
  return h ^ (h >> 29);
}

}  // namespace koila::detail
