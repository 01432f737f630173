// SPDX-License-Identifier: MIT
#pragma once
// The state of koila's random numbers. The random numbers of an op are a function of the run's
// seed, the op's number in the program, the sample, and the position in the sample. The random
// numbers do not depend on the size of the chunks. A run's seed follows from koila's own seed, or
// is drawn from LibTorch's generator.
#include <koila/expr/random_state.hpp>

#include <cstddef>
#include <exception>

namespace koila::inline v0 {

namespace detail {

/// A copy of the state of LibTorch's host generator.
struct libtorch_random {
  alignas(8) std::byte bytes[2560];
};
void save_libtorch_random(libtorch_random& before);
void restore(const libtorch_random& before);
auto draw_libtorch_seed() -> std::uint64_t;

/// A run that may draw random numbers. The constructor counts the run. If the run fails, the
/// destructor takes the count back, so that the next run draws the same numbers.
struct random_run {
  std::uint64_t seed = 0;
  /// `draws` is true if koila's ops draw random numbers. `draws_elsewhere` is true if an op may
  /// draw from LibTorch's generator.
  explicit random_run(bool draws, bool draws_elsewhere = false)
      : counts_(draws && random_numbers().seeded), draws_seed_(draws && !counts_),
        saved_(draws_seed_ || draws_elsewhere), failing_(std::uncaught_exceptions()) {
    if (saved_) save_libtorch_random(before_);
    if (draws_seed_) seed = draw_libtorch_seed();
    if (!counts_) return;
    const std::uint64_t run = random_numbers().runs.fetch_add(1);
    seed = (random_numbers().seed.load() ^ (run * 0x9E3779B97F4A7C15ULL)) + run;
  }
  random_run(const random_run&) = delete;
  auto operator=(const random_run&) -> random_run& = delete;
  ~random_run() {
    if (std::uncaught_exceptions() <= failing_) return;
    if (saved_) restore(before_);
    if (counts_) random_numbers().runs.fetch_sub(1);
  }
  /// Resets LibTorch's generator, so that a repeated run draws the same numbers.
  void again() const {
    if (saved_) restore(before_);
    if (draws_seed_) (void)draw_libtorch_seed();
  }

 private:
  bool counts_, draws_seed_, saved_;
  int failing_;
  libtorch_random before_;
};

}  // namespace detail

/// Seeds koila's random numbers. After equal seeds, the same program draws the same numbers.
/// Before the first call of this function, each run that draws random numbers takes a seed of 64
/// bits from LibTorch's host generator, which `torch::manual_seed(1)` seeds.
inline void manual_seed(std::uint64_t seed) {
  detail::random_numbers().seed = seed;
  detail::random_numbers().runs = 0;
  detail::random_numbers().seeded = true;
}

}  // namespace koila::inline v0
