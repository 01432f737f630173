// SPDX-License-Identifier: MIT
#pragma once
// How much memory of the host is free.
#include <koila/shape/axis.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace koila::inline v0::device {

/// If the user sets no budget, koila leaves 1/16 of the free memory, and at least this many bytes,
/// to the rest of the system.
inline constexpr index_t least_reserve = index_t{64} << 20;

/// Returns the bytes that this process can still allocate on the host: the smaller of MemAvailable
/// and the headroom of the process's cgroups (v1 and v2). Returns the largest index_t if neither
/// number is known. `root` is the folder that contains proc and sys; only tests set it.
auto free_host_memory(const std::string& root = "") -> index_t;

/// Computes the same number as free_host_memory, for repeated calls. `free` searches for the files
/// of the cgroups at most once a second. It reads these files and /proc/meminfo at each call, and
/// does not allocate on the heap for the reading.
class host_memory {
 public:
  explicit host_memory(std::string root = "") : root_(std::move(root)), meminfo_(root_ + "/proc/meminfo") {}
  auto free() -> index_t;

 private:
  struct group {  // a cgroup with a limit
    std::string limit, usage, stat;
    const char* reclaimable;
  };
  std::string root_, meminfo_;
  std::vector<group> groups_;
  std::int64_t found_ = 0;  // time of the last search for the files, in nanoseconds
  void find();
  void find(const char* limit, const char* usage, const char* reclaimable, const std::string& mount, std::string own);
};

/// The free bytes, and the number of the reading. The first reading has number 1.
struct memory_reading {
  index_t free = 0;
  std::uint64_t number = 0;
};
/// Returns the free host memory as it was at most `age` nanoseconds ago. If `age` is 0, the
/// memory is read now. All threads of the process share one reading. If `age` is not 0, a slow
/// reading may be kept longer than `age`: for 50 times the duration of the reading, but at most
/// 50 ms. So reading takes less than 2 % of a thread's time.
auto host_memory_now(std::int64_t age) -> memory_reading;
/// For tests. Makes `host_memory_now` read the files below `root`, or the files of this machine
/// if `root` is empty.
void read_host_memory_below(const std::string& root);

/// Makes the C library's allocator return freed memory to the system. Does nothing without glibc.
void return_freed_memory();

/// Requests pages of 2 MiB for `bytes` bytes at `data`. Call this function before the memory is
/// first written: with small pages, the first writes take longer than most kernels. Parts that do
/// not cover a whole page keep small pages. The system may ignore the request.
void prefer_huge_pages(void* data, index_t bytes);

/// Returns koila's default budget if `free` bytes are free: all of these bytes except for the
/// reserve.
constexpr auto budget_of(index_t free) -> index_t {
  const index_t reserve = free / 16 > least_reserve ? free / 16 : least_reserve;
  return free > reserve ? free - reserve : 0;
}

}  // namespace koila::inline v0::device
