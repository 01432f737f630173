#pragma once
// How much memory there is to take now.
#include <koila/shape/axis.hpp>
#include <koila/shape/cold.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace koila::device {

/// What is left to the rest of the system when koila decides for itself: 1/16 of what is free, and
/// at least this many bytes.
inline constexpr index_t least_reserve = index_t{64} << 20;

/// Bytes that this process may still take on the host: the smaller of MemAvailable and the headroom
/// of its cgroups, v1 and v2. The largest number where nothing is known. `root` is where /proc and
/// /sys are, for tests.
auto free_host_memory(const std::string& root = "") -> index_t;

/// The same, asked again and again: where the files are is found out once a second, what they say
/// is read at each call, and takes no memory of the heap.
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
  std::int64_t found_ = 0;  // when, in nanoseconds
  void find();
  void find(const char* limit, const char* usage, const char* reclaimable, const std::string& mount, std::string own);
};

/// Free bytes of the host, and the number of the reading, from 1 on.
struct memory_reading {
  index_t free = 0;
  std::uint64_t number = 0;
};
/// Free host memory as it was `age` nanoseconds ago at most, now for 0. A process reads for all its
/// threads together, and with an age spends less than 2 % of a thread's time on it: where reading
/// is slow, what is known may be as old as 50 readings take, though no older than 50 ms.
auto host_memory_now(std::int64_t age) -> memory_reading;
/// From now on `host_memory_now` reads a folder that stands for /: for tests. "" is this machine's
/// own.
void read_host_memory_below(const std::string& root);

/// Gives memory that was freed, and that the process's allocator keeps for later, back to the
/// system.
void return_freed_memory();

/// Asks the system for pages of 2 MiB under the whole ones of these bytes, which nothing has
/// written to yet: of small pages the first writes take longer than most kernels. A wish, which
/// costs nothing where it is not granted.
void prefer_huge_pages(void* data, index_t bytes);

/// What koila lets itself take of so many free bytes: all but the reserve.
constexpr auto budget_of(index_t free) -> index_t {
  const index_t reserve = free / 16 > least_reserve ? free / 16 : least_reserve;
  return free > reserve ? free - reserve : 0;
}

}  // namespace koila::device

#ifdef KOILA_DEFINITIONS
#include <koila/device/memory.ipp>
#endif
