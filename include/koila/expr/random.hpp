#pragma once
// What random numbers depend on besides the op, the sample and the position in it: a seed and the
// runs so far.
#include <atomic>
#include <cstdint>

namespace koila::detail {

struct random_state {
  std::atomic<bool> seeded{false};  // by koila::manual_seed; else each run draws its seed from LibTorch's generator
  std::atomic<std::uint64_t> seed{0}, runs{0};
  std::atomic<std::uint64_t> calls{0};  // of random ops: each is told from all others of the process
};
inline auto random_numbers() -> random_state& {
  static random_state state;
  return state;
}

}  // namespace koila::detail
