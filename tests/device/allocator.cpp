// SPDX-License-Identifier: MIT
// koila's model of LibTorch's caching allocator: block sizes, segment sizes, allocated bytes and
// reserved bytes.
#include <koila/device/allocator.hpp>

#include "catch.hpp"

namespace {

using koila::index_t;
using koila::device::block_bytes;
using koila::device::caching_allocator;
using koila::device::caching_rules;
using koila::device::segment_bytes;
using koila::device::taken;
using koila::device::taken_by;

constexpr index_t kib = 1024, mib = index_t{1} << 20;

constexpr auto in_parts(index_t n) -> caching_rules {
  caching_rules r;
  r.divisions.fill(n);
  return r;
}

}  // namespace

TEST_CASE("sizes are rounded to blocks of 512 bytes") {
  STATIC_REQUIRE(block_bytes(0) == 0);
  STATIC_REQUIRE(block_bytes(1) == 512);
  STATIC_REQUIRE(block_bytes(512) == 512);
  STATIC_REQUIRE(block_bytes(513) == 1024);
  STATIC_REQUIRE(block_bytes(10 * mib + 1) == 10 * mib + 512);
}

TEST_CASE("sizes are rounded to parts of powers of two where it is set so") {
  // From LibTorch's documentation: with four divisions between 1024 and 2048, a size of 1200 is
  // rounded up to 1280. Small sizes are still rounded up to a multiple of 512 bytes.
  STATIC_REQUIRE(block_bytes(1200, in_parts(4)) == 1536);
  STATIC_REQUIRE(block_bytes(1200 * kib, in_parts(4)) == 1280 * kib);
  STATIC_REQUIRE(block_bytes(1024 * kib, in_parts(4)) == 1024 * kib);
  STATIC_REQUIRE(block_bytes(1025 * kib, in_parts(1)) == 1025 * kib);
  STATIC_REQUIRE(block_bytes(1025 * kib, in_parts(8)) == 1152 * kib);
  constexpr auto only_large = [] {
    caching_rules r;
    r.divisions[6] = 2;  // applies to sizes from 64 MiB to below 128 MiB
    return r;
  }();
  STATIC_REQUIRE(block_bytes(63 * mib, only_large) == 63 * mib);
  STATIC_REQUIRE(block_bytes(65 * mib, only_large) == 96 * mib);
  STATIC_REQUIRE(block_bytes(129 * mib, only_large) == 129 * mib);
}

TEST_CASE("segments are of 2 MiB, of 20 MiB, or made for one block") {
  STATIC_REQUIRE(segment_bytes(0) == 0);
  STATIC_REQUIRE(segment_bytes(512) == 2 * mib);
  STATIC_REQUIRE(segment_bytes(mib) == 2 * mib);
  STATIC_REQUIRE(segment_bytes(mib + 512) == 20 * mib);
  STATIC_REQUIRE(segment_bytes(10 * mib - 512) == 20 * mib);
  STATIC_REQUIRE(segment_bytes(10 * mib) == 10 * mib);
  STATIC_REQUIRE(segment_bytes(10 * mib + 512) == 12 * mib);
  STATIC_REQUIRE(segment_bytes(5 * mib, {.large_segment = 64 * mib}) == 64 * mib);
}

TEST_CASE("what tensors take together") {
  STATIC_REQUIRE(taken_by(std::array<index_t, 0>{}) == taken{0, 0});
  STATIC_REQUIRE(taken_by(std::array<index_t, 2>{0, 0}) == taken{0, 0});
  STATIC_REQUIRE(taken_by(std::array<index_t, 3>{4, 4, 600}) == taken{2048, 2 * mib});
  STATIC_REQUIRE(taken_by(std::array<index_t, 3>{mib, mib, 1}) == taken{2 * mib + 512, 4 * mib});
  // A segment of 20 MiB has room for two blocks of 9 MiB. A third block needs a second segment.
  STATIC_REQUIRE(taken_by(std::array<index_t, 2>{3 * mib, 5 * mib}) == taken{8 * mib, 20 * mib});
  STATIC_REQUIRE(taken_by(std::array<index_t, 3>{9 * mib, 9 * mib, 9 * mib}) == taken{27 * mib, 40 * mib});
  // A remainder is split off only if it is larger than 1 MiB. Otherwise the remainder belongs to
  // the block and counts as allocated.
  STATIC_REQUIRE(taken_by(std::array<index_t, 1>{11 * mib}) == taken{12 * mib, 12 * mib});
  STATIC_REQUIRE(taken_by(std::array<index_t, 1>{10 * mib + 512}) == taken{10 * mib + 512, 12 * mib});
}

TEST_CASE("what is freed is cached, taken again where it fits best, and joined with its neighbours") {
  constexpr auto reused = [] {
    caching_allocator a;
    const int first = a.allocate(12 * mib);
    a.free(first);
    const index_t before = a.reserved();
    a.allocate(10 * mib);  // leaves a remainder of 2 MiB
    a.allocate(2 * mib);  // takes the remainder
    return before == 12 * mib && a.reserved() == 12 * mib && a.allocated() == 12 * mib &&
           a.peak_allocated() == 12 * mib;
  }();
  STATIC_REQUIRE(reused);
  constexpr auto joined = [] {
    caching_allocator a;
    const int x = a.allocate(4 * mib), y = a.allocate(5 * mib), z = a.allocate(6 * mib);  // 5 MiB remain
    a.free(x), a.free(z);
    const index_t inside = a.releasable();  // 0, because y lies between the free blocks
    a.free(y);
    const index_t all = a.releasable();
    a.allocate(9 * mib), a.allocate(9 * mib);
    return inside == 0 && all == 20 * mib && a.reserved() == 20 * mib;
  }();
  STATIC_REQUIRE(joined);
  constexpr auto pools = [] {  // small blocks never share a segment with large blocks
    caching_allocator a;
    a.free(a.allocate(4 * mib));
    a.allocate(512);
    return a.reserved() == 22 * mib && a.releasable() == 20 * mib;
  }();
  STATIC_REQUIRE(pools);
}

TEST_CASE("blocks from a size on are not split where it is set so") {
  static constexpr caching_rules r{.max_split = 32 * mib};
  constexpr auto kept = [](index_t first, index_t then) {
    caching_allocator a(r);
    a.free(a.allocate(first));
    a.allocate(then);
    return taken{a.allocated(), a.reserved()};
  };
  STATIC_REQUIRE(kept(64 * mib, 12 * mib) == taken{12 * mib, 76 * mib});  // the cached block is too large for 12 MiB
  STATIC_REQUIRE(kept(64 * mib, 50 * mib) == taken{64 * mib, 64 * mib});  // takes the whole block
  STATIC_REQUIRE(kept(64 * mib, 40 * mib) == taken{40 * mib, 104 * mib});  // the block would be 24 MiB too large
}

TEST_CASE("segments that grow take whole pages") {
  constexpr caching_rules r{.expandable_segments = true};
  STATIC_REQUIRE(taken_by(std::array<index_t, 1>{11 * mib}, r) == taken{11 * mib, 20 * mib});
  STATIC_REQUIRE(taken_by(std::array<index_t, 2>{11 * mib, 10 * mib}, r) == taken{21 * mib, 40 * mib});
  STATIC_REQUIRE(taken_by(std::array<index_t, 3>{512, 30 * mib, 2 * mib}, r) == taken{32 * mib + 512, 42 * mib});
  constexpr auto hole = [] {  // a free block that is large enough is used before the segment grows
    caching_allocator a(caching_rules{.expandable_segments = true});
    const int x = a.allocate(15 * mib);
    a.allocate(5 * mib);
    a.free(x);
    a.allocate(12 * mib);
    return a.reserved() == 20 * mib && a.allocated() == 17 * mib;
  }();
  STATIC_REQUIRE(hole);
}
