// SPDX-License-Identifier: MIT
#pragma once
// Memory layout: the live range of each buffer, the bytes alive at each step, and the offset of
// each buffer in the arena. The arena is the block of memory that holds all buffers of a plan.
#include <koila/shape/axis.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

namespace koila::inline v0::detail {

/// The lifetime of one buffer, from step `begin` to step `end` (both included), its size, and its
/// offset in the arena.
struct live_range {
  int begin = 0, end = 0;
  index_t bytes = 0;
  index_t offset = 0;
};

/// The offset of every buffer in the arena is a multiple of this many bytes, so that vector loads
/// are aligned.
inline constexpr index_t alignment = 64;
constexpr auto aligned(index_t bytes) -> index_t { return (bytes + alignment - 1) / alignment * alignment; }

/// Returns the total bytes of the buffers alive at each step. Takes linear time in the number of
/// buffers and steps.
constexpr auto alive_at(const std::vector<live_range>& ranges) -> std::vector<index_t> {
  int last = 0;
  for (const auto& r : ranges) last = std::max(last, r.end);
  std::vector<index_t> alive;
  for (int i = 0; i < last + 2; ++i) alive.push_back(0);  // vector(n, x) is not a constant expression on clang 19
  for (const auto& r : ranges) {
    alive[static_cast<std::size_t>(r.begin)] += r.bytes;
    alive[static_cast<std::size_t>(r.end) + 1] -= r.bytes;
  }
  index_t now = 0;
  for (index_t& x : alive) x = now += x;
  return alive;
}

/// Returns the maximum of alive_at() over all steps.
constexpr auto peak_of(const std::vector<live_range>& ranges) -> index_t {
  index_t peak = 0;
  for (const index_t x : alive_at(ranges)) peak = std::max(peak, x);
  return peak;
}

/// Returns the lowest offset at which `r` does not overlap any placed range that is alive at the
/// same time as `r`. `placed` must be sorted by offset.
constexpr auto lowest_gap(const std::vector<live_range>& placed, const live_range& r) -> index_t {
  index_t at = 0;
  for (const live_range& o : placed) {
    if (o.end < r.begin || r.end < o.begin) continue;
    if (o.offset >= at + r.bytes) break;
    at = std::max(at, o.offset + o.bytes);
  }
  return at;
}

/// A sort key of two numbers; ties are broken by `index`. Several functions of the planner sort by
/// this type, so that std::sort is compiled once for all of them.
struct sort_key {
  index_t first, second;
  int index;
  friend constexpr auto operator<(const sort_key& a, const sort_key& b) -> bool {
    return a.first != b.first ? a.first < b.first : a.second != b.second ? a.second < b.second : a.index < b.index;
  }
};
constexpr void sort_keys(std::vector<sort_key>& keys) { std::sort(keys.begin(), keys.end()); }

/// The free gaps of the arena, sorted by offset and by size.
class gaps {
 public:
  /// Allocates `bytes` bytes and returns their offset. Uses the smallest gap that is large
  /// enough, and the lowest such gap if several have the same size. If no gap is large enough,
  /// the arena grows. If there is a gap at the arena's end, this gap is extended.
  auto acquire(index_t bytes) -> index_t {
    const auto fit = by_size_.lower_bound({bytes, 0});
    if (fit == by_size_.end()) {
      const auto [at, size] = by_offset_.empty() ? range{size_, 0} : *by_offset_.rbegin();
      const bool at_end = size > 0 && at + size == size_;
      if (at_end) erase(at, size);
      const index_t begin = at_end ? at : size_;
      size_ = begin + bytes;
      return begin;
    }
    const auto [size, at] = *fit;
    erase(at, size);
    if (size > bytes) insert(at + bytes, size - bytes);
    return at;
  }
  void give_back(index_t offset, index_t bytes) {
    const auto next = by_offset_.lower_bound({offset, 0});
    const range after = next == by_offset_.end() ? range{-1, 0} : *next;
    const range before = next == by_offset_.begin() ? range{-1, 0} : *std::prev(next);
    if (after.first == offset + bytes) {
      bytes += after.second;
      erase(after.first, after.second);
    }
    if (before.second > 0 && before.first + before.second == offset) {
      offset = before.first;
      bytes += before.second;
      erase(before.first, before.second);
    }
    insert(offset, bytes);
  }
  auto size() const -> index_t { return size_; }

 private:
  using range = std::pair<index_t, index_t>;
  std::set<range> by_offset_, by_size_;
  index_t size_ = 0;

  void insert(index_t offset, index_t bytes) { by_offset_.insert({offset, bytes}), by_size_.insert({bytes, offset}); }
  void erase(index_t offset, index_t bytes) { by_offset_.erase({offset, bytes}), by_size_.erase({bytes, offset}); }
};

/// Assigns an offset to every range and returns the size of the arena in bytes. Visits the ranges
/// in the order of their first steps and places each range in the smallest gap that is large
/// enough. This function is used for graphs that are too large for the slower, better search of
/// assign_offsets().
auto place_by_time(std::vector<live_range>& ranges) -> index_t;

/// Places the ranges in the given order, each at the lowest free offset. Returns the size of the
/// arena in bytes, and the index of the range at the arena's end.
constexpr auto place_in_order(std::vector<live_range>& ranges, const std::vector<int>& order)
    -> std::pair<index_t, int> {
  std::vector<live_range> placed;  // sorted by offset
  placed.reserve(ranges.size());
  std::pair<index_t, int> last{0, -1};
  for (const int i : order) {
    live_range& r = ranges[static_cast<std::size_t>(i)];
    r.offset = lowest_gap(placed, r);
    if (r.offset + r.bytes > last.first) last = {r.offset + r.bytes, i};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), r,
                                   [](const live_range& x, const live_range& y) { return x.offset < y.offset; }),
                  r);
  }
  return last;
}

/// Assigns an offset to every range and returns the size of the arena in bytes.
///
/// Places the ranges by decreasing size, each at the lowest offset that is free during its
/// lifetime. If the resulting arena is more than 1/64 larger than the maximum bytes alive, a few
/// other orders are tried. Most of these orders move the range at the arena's end to the front.
/// The best result is kept. This search takes quadratic time, so at run time more than `many`
/// ranges are placed by place_by_time() instead.
constexpr auto assign_offsets(std::vector<live_range>& ranges, std::size_t many = 4096) -> index_t {
  constexpr std::size_t tries = 32, work = std::size_t{1} << 13;  // small, as compilers limit the steps of constexpr
  if (!std::is_constant_evaluated() && ranges.size() > many) return detail::place_by_time(ranges);
  std::vector<detail::sort_key> by_size;
  by_size.reserve(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) by_size.push_back({-ranges[i].bytes, 0, static_cast<int>(i)});
  sort_keys(by_size);
  std::vector<int> order;
  order.reserve(ranges.size());
  for (const auto& key : by_size) order.push_back(key.index);
  auto [least, last] = detail::place_in_order(ranges, order);
  const index_t bound = peak_of(ranges), enough = bound + bound / 64;
  if (least <= enough) return least;
  std::vector<live_range> others = ranges;
  for (std::size_t k = 0; k < std::min(tries, work / (ranges.size() * ranges.size())) && least > enough; ++k) {
    const bool other = k % 3 == 2;  // every third try moves another range, so that two ranges do not swap for ever
    const auto at = other ? order.begin() + static_cast<std::ptrdiff_t>(k / 3 % order.size())
                          : std::find(order.begin(), order.end(), last);
    std::rotate(order.begin(), at, at + 1);
    const auto next = detail::place_in_order(others, order);
    last = next.second;
    if (next.first >= least) continue;
    least = next.first;
    for (std::size_t i = 0; i < ranges.size(); ++i) ranges[i].offset = others[i].offset;
  }
  return least;
}

}  // namespace koila::inline v0::detail
