#pragma once
// Lifetimes and offsets: bytes alive at once, and where each value lies in one block.
#include <koila/shape/axis.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

namespace koila {

/// One buffer: alive from step `begin` to step `end`, both included.
struct live_range {
  int begin = 0, end = 0;
  index_t bytes = 0;
  index_t offset = 0;
};

/// Buffers in the arena begin at multiples of this many bytes, as vector loads want them.
inline constexpr index_t alignment = 64;
constexpr auto aligned(index_t bytes) -> index_t { return (bytes + alignment - 1) / alignment * alignment; }

/// The bytes alive at each step. Linear in buffers and steps.
constexpr auto alive_at(const std::vector<live_range>& ranges) -> std::vector<index_t> {
  int last = 0;
  for (const auto& r : ranges) last = std::max(last, r.end);
  std::vector<index_t> alive;
  for (int i = 0; i < last + 2; ++i) alive.push_back(0);  // vector(n, x) is no constant expression on clang 19
  for (const auto& r : ranges) {
    alive[static_cast<std::size_t>(r.begin)] += r.bytes;
    alive[static_cast<std::size_t>(r.end) + 1] -= r.bytes;
  }
  index_t now = 0;
  for (index_t& x : alive) x = now += x;
  return alive;
}

/// The most bytes alive at one step.
constexpr auto peak_of(const std::vector<live_range>& ranges) -> index_t {
  index_t peak = 0;
  for (const index_t x : alive_at(ranges)) peak = std::max(peak, x);
  return peak;
}

namespace detail {

/// The lowest gap that holds `r` among placed ranges (ordered by offset) alive at the same time.
constexpr auto lowest_gap(const std::vector<live_range>& placed, const live_range& r) -> index_t {
  index_t at = 0;
  for (const live_range& o : placed) {
    if (o.end < r.begin || r.end < o.begin) continue;
    if (o.offset >= at + r.bytes) break;
    at = std::max(at, o.offset + o.bytes);
  }
  return at;
}

/// What is free in the arena, by offset and by size.
class gaps {
 public:
  /// The smallest gap that holds so many bytes, the lowest of these; at the end of the arena where there is none.
  auto take(index_t bytes) -> index_t {
    const auto fit = by_size_.lower_bound({bytes, 0});
    if (fit == by_size_.end()) {
      auto last = by_offset_.empty() ? by_offset_.end() : std::prev(by_offset_.end());
      const bool at_end = last != by_offset_.end() && last->first + last->second == size_;
      const index_t at = at_end ? last->first : size_;
      if (at_end) erase(last);
      size_ = at + bytes;
      return at;
    }
    const auto [size, at] = *fit;
    erase(by_offset_.find(at));
    if (size > bytes) insert(at + bytes, size - bytes);
    return at;
  }
  void give_back(index_t at, index_t bytes) {
    const auto after = by_offset_.find(at + bytes);
    if (after != by_offset_.end()) {
      bytes += after->second;
      erase(after);
    }
    const auto next = by_offset_.lower_bound(at);
    if (next != by_offset_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == at) {
        at = before->first;
        bytes += before->second;
        erase(before);
      }
    }
    insert(at, bytes);
  }
  auto size() const -> index_t { return size_; }

 private:
  std::map<index_t, index_t> by_offset_;
  std::set<std::pair<index_t, index_t>> by_size_;
  index_t size_ = 0;

  void insert(index_t at, index_t bytes) { by_offset_[at] = bytes, by_size_.insert({bytes, at}); }
  void erase(std::map<index_t, index_t>::iterator gap) {
    by_size_.erase({gap->second, gap->first});
    by_offset_.erase(gap);
  }
};

/// In order of time, each in the smallest gap: for graphs so large that the better way takes too long.
inline auto place_by_time(std::vector<live_range>& ranges) -> index_t {
  std::vector<live_range*> begins, ends;
  for (live_range& r : ranges)
    if (r.bytes > 0) begins.push_back(&r), ends.push_back(&r);
    else r.offset = 0;
  std::stable_sort(begins.begin(), begins.end(), [](const live_range* a, const live_range* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->bytes > b->bytes;
  });
  std::stable_sort(ends.begin(), ends.end(), [](const live_range* a, const live_range* b) { return a->end < b->end; });
  gaps free;
  auto dead = ends.begin();
  for (live_range* r : begins) {
    for (; (*dead)->end < r->begin; ++dead) free.give_back((*dead)->offset, (*dead)->bytes);
    r->offset = free.take(r->bytes);
  }
  return free.size();
}

}  // namespace detail

/// Gives every range an offset and returns the arena's bytes. The largest first, each at the lowest gap; above `many`
/// ranges in order of time, since the other is quadratic.
constexpr auto place(std::vector<live_range>& ranges, std::size_t many = 4096) -> index_t {
  if (!std::is_constant_evaluated() && ranges.size() > many) return detail::place_by_time(ranges);
  std::vector<int> order;
  for (std::size_t i = 0; i < ranges.size(); ++i) order.push_back(static_cast<int>(i));
  const auto get = [&](int i) -> live_range& { return ranges[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return get(a).bytes != get(b).bytes ? get(a).bytes > get(b).bytes : a < b; });
  std::vector<live_range> placed;  // by offset
  placed.reserve(ranges.size());
  index_t size = 0;
  for (const int i : order) {
    live_range& r = get(i);
    r.offset = detail::lowest_gap(placed, r);
    size = std::max(size, r.offset + r.bytes);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), r,
                                   [](const live_range& x, const live_range& y) { return x.offset < y.offset; }),
                  r);
  }
  return size;
}

}  // namespace koila
