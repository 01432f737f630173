#pragma once
// How long something takes on this machine.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace koila::detail {

/// Whether choices are made by what is measured here: not where the environment says KOILA_MEASURE=off.
inline auto may_measure() -> bool {
  const char* const asked = std::getenv("KOILA_MEASURE");
  return asked == nullptr || std::strcmp(asked, "off") != 0;
}

/// The least seconds of a call, of some calls until so many seconds have passed: other programs run, too. One before them is not counted.
template <class F>
auto least_seconds_of(double in_all, const F& f) -> double {
  using clock = std::chrono::steady_clock;
  const auto seconds = [](clock::duration d) { return std::chrono::duration<double>(d).count(); };
  f();
  double least = 1e9;
  const auto start = clock::now();
  for (int i = 0; i < 3 || (i < 1000 && seconds(clock::now() - start) < in_all); ++i) {
    const auto begin = clock::now();
    f();
    least = std::min(least, seconds(clock::now() - begin));
  }
  return std::max(least, 1e-9);
}

}  // namespace koila::detail
