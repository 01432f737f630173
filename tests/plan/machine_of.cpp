// SPDX-License-Identifier: MIT
// The performance figures of processors whose descriptions are given here, and plans for these
// processors. The results do not depend on the machine that runs the test.
#include "plan/support.hpp"

#include <koila/plan/machine_of.hpp>

namespace koila::test::machine_figures {

using namespace ::test;

using maker = processor::maker;
using set = processor::instruction_set;

constexpr processor zen2{maker::amd, 0x17, set::avx2, 512 << 10, 16 << 20, 4};
constexpr processor zen4{maker::amd, 0x19, set::avx512, 1 << 20, 32 << 20, 8};
constexpr processor zen4_stacked{maker::amd, 0x19, set::avx512, 1 << 20, 96 << 20, 8};
constexpr processor zen5{maker::amd, 0x1A, set::avx512, 1 << 20, 32 << 20, 8};
constexpr processor xeon{maker::intel, 6, set::avx512, 2 << 20, 105 << 20, 56};
constexpr processor hybrid{maker::intel, 6, set::avx2, 0, 30 << 20, 24};
constexpr processor unknown{};
constexpr processor all[] = {zen2, zen4, zen4_stacked, zen5, xeon, hybrid, unknown};

/// Returns true if caches are at least as fast as memory and the figures are consistent.
constexpr auto is_sound(const machine& m) -> bool {
  return m.is_usable() && m.bytes_in_cache <= m.bytes_in_shared_cache &&
         m.bandwidth_of_memory <= m.bandwidth_in_shared_cache && m.bandwidth_in_shared_cache <= m.bandwidth_in_cache &&
         m.min_speedup == 0 && m.tie_tolerance == 0.02;
}
static_assert([] {
  for (const processor& p : all)
    for (const int threads : {1, 2, 8, 9, 64, 512})
      if (!is_sound(machine_of(p, threads)) || machine_of(p, threads) != machine_of(p, threads)) return false;
  return true;
}());

// bytes_in_cache is three quarters of the private caches of all cores. bytes_in_shared_cache adds
// half of the shared cache, of which at most 32 MiB count for every eight cores.
constexpr double mib = 1024 * 1024;
static_assert(machine_of(zen4, 1).bytes_in_cache == 0.75 * mib && machine_of(zen4, 4).bytes_in_cache == 3 * mib);
static_assert(machine_of(zen4, 1).bytes_in_shared_cache == 16.75 * mib);
static_assert(machine_of(zen4, 8).bytes_in_shared_cache == 22 * mib &&
              machine_of(zen4, 9).bytes_in_shared_cache == 38.75 * mib);
static_assert(machine_of(zen4_stacked, 1) == machine_of(zen4, 1));
static_assert(machine_of(xeon, 1).bytes_in_shared_cache == 17.5 * mib);
static_assert(machine_of(unknown, 1).bytes_in_cache == 0.75 * mib &&
              machine_of(unknown, 1).bytes_in_shared_cache == 0.75 * mib);

// flops depends on vector lanes, units and cycles. In Zen 4, an AVX-512 instruction occupies a unit
// of 8 lanes for two cycles.
static_assert(machine_of(zen5, 1).flops > 2 * machine_of(zen4, 1).flops);
static_assert(machine_of(zen4, 2).flops == 2 * machine_of(zen4, 1).flops);
static_assert(machine_of(hybrid, 1).flops == machine_of(xeon, 1).flops / 2);
static_assert(machine_of(zen4, 1).seconds_per_team == 0 && machine_of(zen4, 2).seconds_per_team > 0);

auto perceptron() {
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  parameter<512, 784> w1{"w1"};
  parameter<512, 512> w2{"w2"};
  parameter<10, 512> w3{"w3"};
  return cross_entropy(linear(relu(linear(relu(linear(x, w1)), w2)), w3), label);
}

TEST_CASE("trials B6: a machine without threads is refused") {
  for (const int threads : {0, -3})
    CHECK_THROWS_WITH(machine_of(unknown, threads), "koila: machine_of: there is no thread: at least 1 is needed");
}

TEST_CASE("trials A6: the plan for a processor is the same wherever and however often it is made") {
  const auto loss = perceptron();
  for (const processor& p : all)
    for (const int threads : {1, 2, 8}) {
      const options with{.machine = machine_of(p, threads)};
      const memory_plan first = planned(loss, 4096, -1, with);
      CAPTURE(static_cast<int>(p.vendor), p.family, threads, first.chunk());
      for (int again = 0; again < 3; ++again) CHECK(planned(loss, 4096, -1, with).chunks == first.chunks);
      // The chunk is smaller than the whole batch, because the whole batch's values fit in no
      // cache. It is large enough that the overhead of kernel calls does not dominate.
      CHECK(first.chunk() >= 64);
      CHECK(first.chunk() <= 2048);
    }
}

}  // namespace koila::test::machine_figures
