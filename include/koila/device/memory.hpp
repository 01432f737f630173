// SPDX-License-Identifier: MIT
#pragma once
// How much memory of the host is free.
#include <koila/shape/axis.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace koila::device {

/// If koila chooses its own budget, it leaves 1/16 of the free memory to the rest of the system,
/// and at least this many bytes.
inline constexpr index_t least_reserve = index_t{64} << 20;

/// Returns the bytes that this process can still allocate on the host: the smaller of MemAvailable
/// and the headroom of its cgroups, v1 and v2. Returns the largest number if nothing is known.
/// `root`: the folder that contains proc and sys, for tests.
auto free_host_memory(const std::string& root = "") -> index_t;

/// The same for repeated calls. It looks for the files once a second, and reads them at each call
/// without allocating on the heap.
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
  std::int64_t found_ = 0;  // when the files were looked for, in nanoseconds
  void find();
  void find(const char* limit, const char* usage, const char* reclaimable, const std::string& mount, std::string own);
};

/// The free bytes of the host, and the number of the reading. The first reading has number 1.
struct memory_reading {
  index_t free = 0;
  std::uint64_t number = 0;
};
/// Returns the free host memory as it was at most `age` nanoseconds ago; 0: as it is now. All
/// threads of the process share one reading. If `age` is not 0, reading takes less than 2 % of a
/// thread's time: if reading is slow, the result may be as old as 50 readings take, up to 50 ms.
auto host_memory_now(std::int64_t age) -> memory_reading;
/// For tests: makes `host_memory_now` read the files below `root` instead of /. Empty: those of
/// this machine again.
void read_host_memory_below(const std::string& root);

/// Returns memory to the system: memory that was freed, but that the process's allocator still
/// holds.
void return_freed_memory();

/// Asks the system to use pages of 2 MiB where these bytes cover whole pages. Nothing may have been
/// written to them yet. With small pages the first writes take longer than most kernels. If the
/// system ignores the request, nothing is lost.
void prefer_huge_pages(void* data, index_t bytes);

/// Returns how many of `free` bytes koila allows itself to use: all but the reserve.
constexpr auto budget_of(index_t free) -> index_t {
  const index_t reserve = free / 16 > least_reserve ? free / 16 : least_reserve;
  return free > reserve ? free - reserve : 0;
}

}  // namespace koila::device
