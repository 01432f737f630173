// Offsets: what is alive at the same time does not overlap.
#include "pch.hpp"

#include <rapidcheck.h>

using namespace koila;

namespace {

constexpr auto sound(const std::vector<live_range>& ranges, index_t size) -> bool {
  index_t most = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const live_range& a = ranges[i];
    most = std::max(most, a.offset + a.bytes);
    if (a.offset < 0 || a.offset % alignment != 0) return false;
    for (std::size_t j = 0; j < i; ++j) {
      const live_range& b = ranges[j];
      const bool together = a.begin <= b.end && b.begin <= a.end;
      if (together && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes) return false;
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
  const index_t size = place(r);
  return sound(r, size) && place(none) == 0;
}());

}  // namespace

TEST_CASE("buffers that are alive at the same time do not overlap") {
  for (const std::size_t many : {std::size_t{0}, std::size_t{4096}}) {  // by time, by size
    CHECK(rc::check([many] {
      const auto count = *rc::gen::inRange<std::size_t>(0, 120);
      const auto begins = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 40));
      const auto lengths = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 15));
      const auto units = *rc::gen::container<std::vector<index_t>>(count, rc::gen::inRange<index_t>(0, 20));
      std::vector<live_range> r;
      for (std::size_t i = 0; i < count; ++i) r.push_back({begins[i], begins[i] + lengths[i], aligned(units[i] * 50)});
      const index_t size = place(r, many);
      RC_ASSERT(sound(r, size));
    }));
  }
}
