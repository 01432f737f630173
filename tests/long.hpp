#pragma once
// How much a test sweeps: little in CI, all of it with `scripts/test --long`.
#include <cstdlib>

namespace koila::test {

/// Whether the tests were started by `scripts/test --long`.
inline auto is_long_run() -> bool { return std::getenv("KOILA_TEST_LONG") != nullptr; }

/// `full` in a long run, `few` else: how many cases a sweep has, every so many, ...
template <class T>
auto of_sweep(T few, T full) -> T {
  return is_long_run() ? full : few;
}

}  // namespace koila::test
