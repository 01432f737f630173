#pragma once
// The state of random numbers: a seed and the number of runs. An op's numbers are a function of these, of the call of the op, of
// the sample and of the position in it, whatever the chunk.
#include <koila/expr/random.hpp>
#include <koila/shape/cold.hpp>

#include <exception>
#include <memory>

namespace koila {

namespace detail {

/// The state of LibTorch's generator of the host, as it was when this was made.
struct libtorch_random;
struct drop_libtorch_random {
  void operator()(libtorch_random* p) const;
};
using saved_libtorch_random = std::unique_ptr<libtorch_random, drop_libtorch_random>;
auto save_libtorch_random() -> saved_libtorch_random;
void restore(const libtorch_random& state);

/// A run that may draw: counted when it begins, not counted where it fails, so that the next one draws the same.
struct random_run {
  std::uint64_t seed = 0;
  /// `draws`: from koila's numbers. `draws_elsewhere`: it calls what may draw from LibTorch's generator.
  explicit random_run(bool draws, bool draws_elsewhere = false) : draws_(draws), failing_(std::uncaught_exceptions()) {
    if (draws_elsewhere) before_ = save_libtorch_random();
    if (!draws_) return;
    const std::uint64_t run = random_numbers().runs.fetch_add(1);
    seed = (random_numbers().seed.load() ^ (run * 0x9E3779B97F4A7C15ULL)) + run;
  }
  random_run(const random_run&) = delete;
  auto operator=(const random_run&) -> random_run& = delete;
  ~random_run() {
    if (std::uncaught_exceptions() <= failing_) return;
    again();
    if (draws_) random_numbers().runs.fetch_sub(1);
  }
  /// What runs again draws the same again.
  void again() const {
    if (before_) restore(*before_);
  }

 private:
  bool draws_;
  int failing_;
  saved_libtorch_random before_;
};

}  // namespace detail

/// Begins the random numbers anew: the same program then draws the same numbers.
inline void manual_seed(std::uint64_t seed) {
  detail::random_numbers().seed = seed;
  detail::random_numbers().runs = 0;
  detail::random_numbers().calls = 0;
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/random.ipp>
#endif
