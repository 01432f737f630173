#pragma once
// How many cases a test runs: few in CI, all with `scripts/test --long`.
#include <cstdlib>

namespace koila::test {

/// Returns true if the tests were started by `scripts/test --long`.
inline auto is_long_run() -> bool { return std::getenv("KOILA_TEST_LONG") != nullptr; }

/// Returns `full` in a long run, otherwise `few`: a number of cases, a stride, ...
template <class T>
auto of_sweep(T few, T full) -> T {
  return is_long_run() ? full : few;
}

}  // namespace koila::test
