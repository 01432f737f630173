// SPDX-License-Identifier: MIT
#pragma once
// The state of koila's random numbers: a seed and the number of runs so far. A random number also
// depends on the op, the sample and the position in the sample.
#include <atomic>
#include <cstdint>

namespace koila::inline v0::detail {

struct random_state {
  std::atomic<bool> seeded{false};  // by manual_seed; otherwise each run draws its seed from LibTorch's generator
  std::atomic<std::uint64_t> seed{0}, runs{0};
  std::atomic<std::uint64_t> calls{0};  // number of calls of random ops, from which each call gets its own number
};
inline auto random_numbers() -> random_state& {
  static random_state state;
  return state;
}

}  // namespace koila::inline v0::detail
