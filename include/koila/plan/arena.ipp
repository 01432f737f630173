// SPDX-License-Identifier: MIT
// Definitions of arena.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/plan/arena.hpp>

namespace koila::inline v0::detail {

auto place_by_time(std::vector<live_range>& ranges) -> index_t {
  std::vector<sort_key> begins, ends;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    live_range& r = ranges[i];
    r.offset = 0;
    if (r.bytes == 0) continue;
    begins.push_back({r.begin, -r.bytes, static_cast<int>(i)});
    ends.push_back({r.end, 0, static_cast<int>(i)});
  }
  sort_keys(begins);
  sort_keys(ends);
  gaps free;
  std::size_t dead = 0;
  for (const sort_key& key : begins) {
    live_range& r = ranges[static_cast<std::size_t>(key.index)];
    for (; ends[dead].first < r.begin; ++dead) {
      const live_range& gone = ranges[static_cast<std::size_t>(ends[dead].index)];
      free.give_back(gone.offset, gone.bytes);
    }
    r.offset = free.acquire(r.bytes);
  }
  return free.size();
}

}  // namespace koila::inline v0::detail
