// SPDX-License-Identifier: MIT
#pragma once
// A model of LibTorch's caching allocator for devices (c10/cuda/CUDACachingAllocator.cpp) that
// also runs at compile time. The model computes how sizes are rounded, and how many bytes are
// allocated and reserved.
#include <koila/shape/axis.hpp>

#include <array>
#include <vector>

namespace koila::inline v0::device {

/// Settings of the allocator, as in PYTORCH_CUDA_ALLOC_CONF. The defaults are LibTorch's. Sizes
/// are in bytes.
struct caching_rules {
  static constexpr index_t block = 512;  ///< block sizes are multiples of this size
  static constexpr index_t largest_small = index_t{1} << 20;  ///< the largest block in the pool of small blocks
  static constexpr index_t small_segment = index_t{2} << 20;
  static constexpr index_t least_own = index_t{10} << 20;  ///< the smallest block that gets a segment of its own
  static constexpr index_t own_multiple = index_t{2} << 20;

  index_t large_segment = index_t{20} << 20;  ///< segment size for blocks between largest_small and least_own
  index_t max_split = -1;  ///< blocks of this size or more are not split; -1: all blocks may be split
  /// A request of max_split bytes or more only gets a block that exceeds the request by less than
  /// this many bytes.
  index_t max_unsplit_rounding = index_t{20} << 20;
  bool expandable_segments = false;
  /// Entry i applies to sizes from 1 MiB << i up to twice this size. The first entry also applies
  /// to smaller sizes, and the last entry to larger sizes. An entry is the number of equal steps
  /// between two powers of two. Sizes are rounded up to a step. If the entry is 0 or 1, sizes are
  /// rounded up to `block`.
  std::array<index_t, 16> divisions{};

  friend constexpr auto operator==(const caching_rules&, const caching_rules&) -> bool = default;
};

namespace detail {

constexpr auto up_to_multiple(index_t n, index_t unit) -> index_t { return (n + unit - 1) / unit * unit; }
constexpr auto power_below(index_t n) -> index_t {
  index_t p = 1;
  while (p <= n / 2) p *= 2;
  return p;
}

}  // namespace detail

/// Returns the block size in bytes for a request of `bytes` bytes. The block size is a multiple
/// of 512 bytes, or of a step that `divisions` defines. Returns 0 if `bytes` is not positive.
constexpr auto block_bytes(index_t bytes, const caching_rules& rules = {}) -> index_t {
  if (bytes <= 0) return 0;
  const index_t power = detail::power_below(bytes);
  std::size_t i = 0;
  while (i + 1 < rules.divisions.size() && (index_t{2} << (20 + i)) <= power) ++i;
  const index_t parts = rules.divisions[i];
  if (parts <= 1 || bytes <= caching_rules::block * parts) return detail::up_to_multiple(bytes, caching_rules::block);
  return bytes == power ? bytes : detail::up_to_multiple(bytes, power / parts > 0 ? power / parts : 2 * power);
}

/// Returns the size in bytes of the segment that is requested from the driver if no cached block
/// is large enough. `block` is the size of the needed block.
constexpr auto segment_bytes(index_t block, const caching_rules& rules = {}) -> index_t {
  if (block <= 0) return 0;
  if (block <= caching_rules::largest_small) return caching_rules::small_segment;
  return block < caching_rules::least_own ? rules.large_segment
                                          : detail::up_to_multiple(block, caching_rules::own_multiple);
}

/// The allocator on one stream. Initially, it has no blocks. A request gets the smallest free block
/// that is large enough. If the settings allow it, the rest of this block is split off.
/// Neighbouring free blocks are merged.
class caching_allocator {
 public:
  constexpr explicit caching_allocator(const caching_rules& rules = {}) : rules_(rules) {}

  /// Allocates `bytes` bytes. Returns the id of the block for `free`, or -1 for 0 bytes.
  constexpr auto allocate(index_t bytes) -> int {
    const index_t size = block_bytes(bytes, rules_);
    if (size == 0) return -1;
    const bool small = size <= caching_rules::largest_small;
    int at = best(size, small);
    if (at < 0)
      at = rules_.expandable_segments ? expand(size, small) : append(segment_bytes(size, rules_), small, segments_++);
    const auto i = static_cast<std::size_t>(at);
    blocks_[i].id = next_++;
    const int id = blocks_[i].id;
    if (splits(size, blocks_[i].size - size, small)) {
      block rest = blocks_[i];
      rest.id = -1, rest.size -= size;
      blocks_[i].size = size;
      allocated_ += size;
      blocks_.insert(blocks_.begin() + at + 1, rest);
    } else {
      allocated_ += blocks_[i].size;
    }
    if (allocated_ > peak_) peak_ = allocated_;
    return id;
  }
  /// Returns a block to the cache. Its bytes stay reserved.
  constexpr void free(int id) {
    for (std::size_t i = 0; i < blocks_.size() && id >= 0; ++i) {
      if (blocks_[i].id != id) continue;
      allocated_ -= blocks_[i].size;
      blocks_[i].id = -1;
      if (joins(i + 1)) merge(i);
      if (i > 0 && joins(i)) merge(i - 1);
      return;
    }
  }
  /// Returns the bytes of all blocks in use: `allocated_bytes` in LibTorch's statistics.
  constexpr auto allocated() const -> index_t { return allocated_; }
  /// Returns the maximum of allocated() so far.
  constexpr auto peak_allocated() const -> index_t { return peak_; }
  /// Returns the bytes of all segments from the driver: `reserved_bytes` in LibTorch's statistics.
  /// No segment is returned to the driver before memory is short.
  constexpr auto reserved() const -> index_t { return reserved_; }
  /// Returns the bytes that can be returned to the driver if memory is short: the bytes of the
  /// segments without a block in use.
  constexpr auto releasable() const -> index_t {
    index_t n = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const bool first = i == 0 || blocks_[i - 1].segment != blocks_[i].segment;
      const bool last = i + 1 == blocks_.size() || blocks_[i + 1].segment != blocks_[i].segment;
      if (blocks_[i].id < 0 && first && last) n += blocks_[i].size;
    }
    return n;
  }

 private:
  struct block {  // neighbours in memory are neighbours in the list
    index_t size;
    int segment, id;  // id -1: free
    bool small;
  };

  caching_rules rules_;
  std::vector<block> blocks_;
  index_t allocated_ = 0, peak_ = 0, reserved_ = 0;
  int segments_ = 0, next_ = 0;

  constexpr auto splits(index_t size, index_t rest, bool small) const -> bool {
    if (small || rules_.expandable_segments) return rest >= caching_rules::block;
    return (rules_.max_split < 0 || size < rules_.max_split) && rest > caching_rules::largest_small;
  }
  /// Returns the index of the smallest free block of at least `size` bytes. Returns -1 if there is
  /// no such block, or if the settings forbid its use.
  constexpr auto best(index_t size, bool small) const -> int {
    int at = -1, growing = -1;  // a block at the end of a segment that can grow is taken last
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const block& b = blocks_[i];
      if (b.small != small) continue;
      growing = -1;
      if (b.id >= 0 || b.size < size) continue;
      if (rules_.expandable_segments) growing = static_cast<int>(i);
      if (growing >= 0 && ends(i)) continue;
      if (at < 0 || b.size < blocks_[static_cast<std::size_t>(at)].size) at = static_cast<int>(i);
    }
    if (at < 0) at = growing;
    if (at < 0 || rules_.max_split < 0) return at;
    const index_t have = blocks_[static_cast<std::size_t>(at)].size;
    if (size < rules_.max_split && have >= rules_.max_split) return -1;
    if (size >= rules_.max_split && have >= size + rules_.max_unsplit_rounding) return -1;
    return at;
  }
  /// Returns true if the block is the last one of its pool.
  constexpr auto ends(std::size_t i) const -> bool {
    for (std::size_t k = i + 1; k < blocks_.size(); ++k)
      if (blocks_[k].small == blocks_[i].small) return false;
    return true;
  }
  constexpr auto append(index_t size, bool small, int segment) -> int {
    blocks_.push_back({size, segment, -1, small});
    reserved_ += size;
    return static_cast<int>(blocks_.size()) - 1;
  }
  /// Extends the pool's only segment by whole pages: 2 MiB for small blocks, otherwise
  /// large_segment.
  constexpr auto expand(index_t size, bool small) -> int {
    const index_t page = small ? caching_rules::small_segment : rules_.large_segment;
    const int segment = small ? 0 : 1;
    std::size_t end = blocks_.size();
    while (end > 0 && blocks_[end - 1].small != small) --end;
    if (end > 0 && blocks_[end - 1].id < 0) {
      const index_t more = detail::up_to_multiple(size - blocks_[end - 1].size, page);
      blocks_[end - 1].size += more, reserved_ += more;
      return static_cast<int>(end) - 1;
    }
    const index_t whole = detail::up_to_multiple(size, page);
    if (end == 0) end = blocks_.size();
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(end), {whole, segment, -1, small});
    reserved_ += whole;
    return static_cast<int>(end);
  }
  constexpr auto joins(std::size_t right) const -> bool {
    return right < blocks_.size() && blocks_[right].id < 0 && blocks_[right - 1].id < 0 &&
           blocks_[right].segment == blocks_[right - 1].segment && blocks_[right].small == blocks_[right - 1].small;
  }
  constexpr void merge(std::size_t left) {
    blocks_[left].size += blocks_[left + 1].size;
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(left) + 1);
  }
};

/// The bytes that tensors take from an empty allocator, if the tensors are allocated in the order
/// of the given sizes and all exist at once. For a plan, these are the arena, the outputs and the
/// workspace.
struct taken {
  index_t allocated, reserved;
  friend constexpr auto operator==(const taken&, const taken&) -> bool = default;
};
template <class Sizes>
constexpr auto taken_by(const Sizes& bytes, const caching_rules& rules = {}) -> taken {
  caching_allocator a(rules);
  for (const index_t n : bytes) a.allocate(n);
  return {a.allocated(), a.reserved()};
}

}  // namespace koila::inline v0::device
