#pragma once
// The state of random numbers: a seed and the number of runs. An op's numbers are a function of these, of the call of the op, of
// the sample and of the position in it, whatever the chunk.
#include <koila/expr/random.hpp>

#include <exception>

namespace koila {

namespace detail {

/// A run that may draw: counted when it begins, not counted where it fails, so that the next one draws the same.
struct random_run {
  std::uint64_t seed;
  explicit random_run(bool draws) : seed(0), draws_(draws), failing_(std::uncaught_exceptions()) {
    if (!draws_) return;
    const std::uint64_t run = random_numbers().runs.fetch_add(1);
    seed = (random_numbers().seed.load() ^ (run * 0x9E3779B97F4A7C15ULL)) + run;
  }
  random_run(const random_run&) = delete;
  auto operator=(const random_run&) -> random_run& = delete;
  ~random_run() {
    if (draws_ && std::uncaught_exceptions() > failing_) random_numbers().runs.fetch_sub(1);
  }

 private:
  bool draws_;
  int failing_;
};

}  // namespace detail

/// Begins the random numbers anew: the same program then draws the same numbers.
inline void manual_seed(std::uint64_t seed) {
  detail::random_numbers().seed = seed;
  detail::random_numbers().runs = 0;
  detail::random_numbers().calls = 0;
}

}  // namespace koila
