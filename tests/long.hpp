// SPDX-License-Identifier: MIT
#pragma once
// How many cases a test runs: few in CI, all with `scripts/test --long`.
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace koila::test {

/// Returns true if the tests were started by `scripts/test --long`.
inline auto is_long_run() -> bool { return std::getenv("KOILA_TEST_LONG") != nullptr; }

/// Returns `full` in a long run, otherwise `few`. The values are, for example, numbers of cases or
/// strides.
template <class T>
auto of_sweep(T few, T full) -> T {
  return is_long_run() ? full : few;
}

/// Returns the seeds of a test that generates its cases: `usual`, and three more in a long run. If
/// KOILA_TEST_SEED=n is in the environment, returns only n.
inline auto seeds_of_sweep(std::uint64_t usual) -> std::vector<std::uint64_t> {
  if (const char* const other = std::getenv("KOILA_TEST_SEED")) return {std::strtoull(other, nullptr, 10)};
  if (is_long_run()) return {usual, 1, 4711, 99001};
  return {usual};
}

}  // namespace koila::test
