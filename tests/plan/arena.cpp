// SPDX-License-Identifier: MIT
// Offsets in the arena: the memory of two buffers that are alive at the same time does not overlap.
#include "plan/support.hpp"

#include <rapidcheck.h>

#include <numeric>
#include <random>

using namespace koila;
using namespace koila::detail;

namespace {

constexpr auto sound(const std::vector<live_range>& ranges, index_t size) -> bool {
  index_t most = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const live_range& a = ranges[i];
    most = std::max(most, a.offset + a.bytes);
    if (a.offset < 0 || a.offset % alignment != 0) return false;
    for (std::size_t j = 0; j < i; ++j) {
      const live_range& b = ranges[j];
      const bool overlap = a.begin <= b.end && b.begin <= a.end;
      if (overlap && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes) return false;
    }
  }
  return size == most && size >= peak_of(ranges);
}

static_assert(aligned(0) == 0 && aligned(1) == 64 && aligned(64) == 64 && aligned(65) == 128);
static_assert(peak_of({}) == 0);
static_assert(peak_of({{0, 1, 64}, {1, 2, 128}, {3, 3, 64}}) == 192);
static_assert(alive_at({{0, 1, 64}, {1, 2, 128}}) == std::vector<index_t>{64, 192, 128, 0});
static_assert([] {
  std::vector<live_range> none, r{{0, 1, 64}, {1, 2, 128}, {2, 3, 192}, {0, 3, 64}};
  const index_t size = assign_offsets(r);
  return sound(r, size) && assign_offsets(none) == 0;
}());

}  // namespace

TEST_CASE("buffers that are alive at the same time do not overlap") {
  for (const std::size_t many : {std::size_t{0}, std::size_t{4096}}) {  // 0: places by time; 4096: places by size
    CHECK(rc::check([many] {
      const auto count = *rc::gen::inRange<std::size_t>(0, 120);
      const auto begins = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 40));
      const auto lengths = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 15));
      const auto units = *rc::gen::container<std::vector<index_t>>(count, rc::gen::inRange<index_t>(0, 20));
      std::vector<live_range> r;
      for (std::size_t i = 0; i < count; ++i) r.push_back({begins[i], begins[i] + lengths[i], aligned(units[i] * 50)});
      const index_t size = assign_offsets(r, many);
      RC_ASSERT(sound(r, size));
    }));
  }
}

namespace {

/// Finds the smallest block that holds all live ranges. Tries all orders of placement, and places
/// each range into the lowest gap. One of these orders gives an optimal placement: the order of
/// increasing offsets in that placement. `best`: the smallest size found so far.
void try_orders(std::vector<live_range>& placed, std::vector<live_range>& rest, index_t size, index_t bound,
                index_t& best) {
  if (size >= best || best == bound) return;
  if (rest.empty()) {
    best = size;
    return;
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    live_range r = rest[i];
    r.offset = koila::detail::lowest_gap(placed, r);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const auto spot = placed.insert(std::upper_bound(placed.begin(), placed.end(), r,
                                                     [](const auto& x, const auto& y) { return x.offset < y.offset; }),
                                    r);
    const auto position = spot - placed.begin();
    try_orders(placed, rest, std::max(size, r.offset + r.bytes), bound, best);
    placed.erase(placed.begin() + position);
    rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(i), r);
  }
}
auto least_block(std::vector<live_range> ranges) -> index_t {
  const index_t bound = peak_of(ranges);
  index_t best = assign_offsets(ranges);
  std::vector<live_range> placed;
  try_orders(placed, ranges, 0, bound, best);
  return best;
}

}  // namespace

TEST_CASE("a block is at most 2 % larger than the least possible") {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  int gaps = 0;  // how often placement by size alone is not optimal
  for (int k = 0; k < 1000; ++k) {
    std::vector<live_range> r;
    for (int n = 2 + below(6); n > 0; --n) {
      const int begin = below(8);
      r.push_back({begin, begin + below(5), aligned(64 * (1 + below(30)))});
    }
    std::vector<live_range> largest_first = r;
    const index_t size = assign_offsets(r), least = least_block(r);
    CAPTURE(k, size, least);
    CHECK(sound(r, size));
    CHECK(static_cast<double>(size) <= 1.02 * static_cast<double>(least));
    std::stable_sort(largest_first.begin(), largest_first.end(),
                     [](const auto& x, const auto& y) { return x.bytes > y.bytes; });
    std::vector<int> order(r.size());
    std::iota(order.begin(), order.end(), 0);
    gaps += koila::detail::place_in_order(largest_first, order).first > least ? 1 : 0;
  }
  CHECK(gaps > 10);  // otherwise the cases would be too easy for this test
}

TEST_CASE("blocks of plans are at most 2 % larger than what is alive at once, of many buffers 6 %") {
  ::test::for_each_plan([](const std::string& name, const memory_plan& p) {
    CAPTURE(name, p.chunks, p.arena_bytes);
    const double most = p.buffers.ranges.size() <= 32 ? 1.02 : 1.06;  // with many buffers, fewer orders are tried
    CHECK(static_cast<double>(p.arena_bytes) <= most * static_cast<double>(peak_of(p.buffers.ranges)));
  });
}
