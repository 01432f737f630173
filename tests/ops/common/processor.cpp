// SPDX-License-Identifier: MIT
// Recognises processors by the results of the cpuid instruction.
#include "catch.hpp"

#include <koila/ops/common/processor.hpp>

#include <vector>

namespace koila::test::processors {

using namespace detail;

using detail::cpuid_registers, detail::processor_of;
using maker = processor::maker;

/// A leaf of cpuid. Leaves that a processor's list omits are 0.
struct leaf {
  std::uint32_t number, part;
  cpuid_registers message;
};
constexpr auto described(const auto& leaves) -> processor {
  return processor_of([&](std::uint32_t number, std::uint32_t part) {
    for (const leaf& l : leaves)
      if (l.number == number && l.part == part) return l.message;
    return cpuid_registers();
  });
}

constexpr cpuid_registers amd{0x1c, 0x68747541, 0x444d4163, 0x69746e65},
    intel{0x20, 0x756e6547, 0x6c65746e, 0x49656e69};
/// Leaf 0xB for processors with one thread and with two threads per core.
constexpr leaf one_thread{0xB, 0, {0, 1, 0x100, 0}}, two_threads{0xB, 0, {1, 2, 0x100, 0}};

/// A cache in the format of leaf 4. `kind`: for data, or for data and code. `threads`: how many
/// threads share the cache. Lines have 64 bytes.
constexpr auto cache(std::uint32_t kind, std::uint32_t level, std::uint32_t threads, std::uint32_t ways,
                     std::uint32_t sets) -> cpuid_registers {
  return {kind | level << 5 | (threads - 1) << 14, (ways - 1) << 22 | 63, sets - 1, 0};
}

// The registers that a virtual machine with two cores of an AMD EPYC (Zen 4) reports.
constexpr leaf zen4[] = {{0, 0, amd},
                         {1, 0, {0xa10f11, 0x1020800, 0xfffa3203, 0x178bfbff}},
                         {7, 0, {0x1, 0xf1bf07ab, 0x405fc6, 0x10}},
                         {0xB, 0, {0x0, 0x1, 0x100, 0x1}},
                         {0x8000001D, 0, {0x121, 0x1c0003f, 0x3f, 0x0}},
                         {0x8000001D, 1, {0x122, 0x1c0003f, 0x3f, 0x0}},
                         {0x8000001D, 2, {0x143, 0x1c0003f, 0x7ff, 0x2}},
                         {0x8000001D, 3, {0x4163, 0x3c0003f, 0x7fff, 0x1}}};
static_assert(described(zen4) ==
              processor{
                  .vendor = maker::amd, .family = 0x19, .l2_bytes = 1 << 20, .l3_bytes = 32 << 20, .cores_per_l3 = 2});

// Each core has two threads, and eight cores share an L3 cache.
constexpr leaf zen5[] = {{0, 0, amd},
                         {1, 0, {0xb00f21, 0, 0, 0}},
                         two_threads,
                         {0x8000001D, 0, cache(1, 1, 2, 12, 64)},
                         {0x8000001D, 1, cache(2, 1, 2, 8, 64)},
                         {0x8000001D, 2, cache(3, 2, 2, 16, 1024)},
                         {0x8000001D, 3, cache(3, 3, 16, 16, 32768)}};
static_assert(described(zen5) ==
              processor{
                  .vendor = maker::amd, .family = 0x1A, .l2_bytes = 1 << 20, .l3_bytes = 32 << 20, .cores_per_l3 = 8});

constexpr leaf xeon[] = {{0, 0, intel},
                         {1, 0, {0x806f8, 0, 0, 0}},
                         two_threads,
                         {4, 0, cache(1, 1, 2, 12, 64)},
                         {4, 1, cache(2, 1, 2, 8, 64)},
                         {4, 2, cache(3, 2, 2, 16, 2048)},
                         {4, 3, cache(3, 3, 128, 15, 114688)}};
static_assert(described(xeon) == processor{.vendor = maker::intel,
                                           .family = 6,
                                           .l2_bytes = 2 << 20,
                                           .l3_bytes = index_t{105} << 20,
                                           .cores_per_l3 = 64});

TEST_CASE("processors: a cache that is another one on other cores is not known") {
  constexpr leaf on_fast[] = {{0, 0, intel},
                              {7, 0, {0, 0, 0, 1U << 15}},
                              two_threads,
                              {4, 0, cache(3, 2, 2, 10, 2048)},
                              {4, 1, cache(3, 3, 64, 12, 40960)}};
  constexpr leaf on_slow[] = {{0, 0, intel},
                              {7, 0, {0, 0, 0, 1U << 15}},
                              two_threads,
                              {4, 0, cache(3, 2, 8, 16, 2048)},
                              {4, 1, cache(3, 3, 64, 12, 40960)}};
  STATIC_REQUIRE(described(on_fast) == described(on_slow));
  STATIC_REQUIRE(described(on_fast).l2_bytes == 0);
  STATIC_REQUIRE(described(on_fast).l3_bytes == index_t{30} << 20);
  constexpr leaf amd_fast[] = {{0, 0, amd},
                               {0x80000026, 0, {1U << 30, 0, 0, 0}},
                               {0x8000001D, 0, cache(3, 2, 2, 16, 1024)},
                               {0x8000001D, 1, cache(3, 3, 8, 16, 16384)}};
  constexpr leaf amd_slow[] = {{0, 0, amd},
                               {0x80000026, 0, {1U << 30, 0, 0, 0}},
                               {0x8000001D, 0, cache(3, 2, 2, 16, 1024)},
                               {0x8000001D, 1, cache(3, 3, 16, 16, 8192)}};
  STATIC_REQUIRE(described(amd_fast) == described(amd_slow));
}

TEST_CASE("processors: where cpuid says nothing, nothing is known") {
  STATIC_REQUIRE(described(std::array<leaf, 0>()) == processor());
  constexpr leaf name_alone[] = {{0, 0, amd}};
  STATIC_REQUIRE(described(name_alone) == processor{.vendor = maker::amd});
}

TEST_CASE("processors: this one is the same whenever it is asked") { CHECK(this_processor() == this_processor()); }

}  // namespace koila::test::processors
