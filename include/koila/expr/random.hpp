#pragma once
// What random numbers depend on besides the sample and the position in it: a seed, the runs so far, the calls of random ops.
#include <atomic>
#include <cstdint>

namespace koila::detail {

struct random_state {
  std::atomic<std::uint64_t> seed{0}, runs{0}, calls{0};
};
inline auto random_numbers() -> random_state& {
  static random_state state;
  return state;
}

}  // namespace koila::detail
