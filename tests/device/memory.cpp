// SPDX-License-Identifier: MIT
// The host memory that is still available, read from /proc and from cgroups v1 and v2.
#include "pch.hpp"

#include <koila/device/memory.hpp>

#include <filesystem>
#include <fstream>
#include <random>

namespace {

using koila::index_t;

/// A folder that is used in place of the root folder /. The destructor removes it.
class fake_root {
 public:
  fake_root()
      : path_(std::filesystem::temp_directory_path() / ("koila_root_" + std::to_string(std::random_device()()))) {
    std::filesystem::create_directories(path_);
  }
  ~fake_root() { std::filesystem::remove_all(path_); }
  fake_root(const fake_root&) = delete;
  auto operator=(const fake_root&) -> fake_root& = delete;

  auto file(const std::string& name, const std::string& text) -> fake_root& {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return *this;
  }
  auto path() const -> std::string { return path_.string(); }
  auto free() const -> index_t { return koila::device::free_host_memory(path_.string()); }

 private:
  std::filesystem::path path_;
};

constexpr index_t unlimited = std::numeric_limits<index_t>::max();
const std::string meminfo =
    "MemTotal:       2000 kB\nMemFree:          10 kB\nMemAvailable:   1000 kB\nBuffers: 3 kB\n";

}  // namespace

TEST_CASE("rows 22, 23: free memory of the host") {
  fake_root root;
  SECTION("nothing is known") { CHECK(root.free() == unlimited); }
  SECTION("what the kernel says is available") { CHECK(root.file("proc/meminfo", meminfo).free() == 1000 * 1024); }
  SECTION("a kernel that does not say") { CHECK(root.file("proc/meminfo", "MemTotal: 5 kB\n").free() == unlimited); }

  SECTION("cgroup v2") {
    root.file("proc/meminfo", meminfo).file("proc/self/cgroup", "0::/system/job\n");
    const std::string own = "sys/fs/cgroup/system/job/", above = "sys/fs/cgroup/system/";
    SECTION("no limit") {
      root.file(own + "memory.max", "max\n").file(own + "memory.current", "5000\n");
      CHECK(root.free() == 1000 * 1024);
    }
    SECTION("limit less use") {
      root.file(own + "memory.max", "100000\n").file(own + "memory.current", "30000\n");
      CHECK(root.free() == 70000);
      SECTION("what can be given back is not used") {
        root.file(own + "memory.stat", "anon 1\nfile 25000\nactive_file 15000\ninactive_file 10000\nslab 4\n");
        CHECK(root.free() == 80000);
        root.file(own + "memory.stat", "inactive_file 31000\n");  // exceeds the used memory: at most the limit is free
        CHECK(root.free() == 100000);
      }
      SECTION("a narrower group above") {
        root.file(above + "memory.max", "60000").file(above + "memory.current", "50000");
        CHECK(root.free() == 10000);
      }
      SECTION("a wider group above") {
        root.file(above + "memory.max", "900000").file(above + "memory.current", "50000");
        CHECK(root.free() == 70000);
      }
      SECTION("nothing is left") { CHECK(root.file(own + "memory.current", "100001").free() == 0); }
      SECTION("the host has less") { CHECK(root.file("proc/meminfo", "MemAvailable: 2 kB\n").free() == 2048); }
    }
    SECTION("a limit without a use") { CHECK(root.file(own + "memory.max", "4096").free() == 4096); }
    SECTION("in a container its own group is the root") {
      root.file("sys/fs/cgroup/memory.max", "5000").file("sys/fs/cgroup/memory.current", "1000");
      CHECK(root.free() == 4000);
    }
    SECTION("a group without a name") {
      root.file("proc/self/cgroup", "0::\n").file("sys/fs/cgroup/memory.max", "5000");
      CHECK(root.free() == 5000);
      CHECK(root.file("proc/self/cgroup", "0::/\n").free() == 5000);
      CHECK(root.file("proc/self/cgroup", "").free() == 5000);
      CHECK(root.file("proc/self/cgroup", "rubbish").free() == 5000);
    }
    SECTION("rubbish in a file is no limit") { CHECK(root.file(own + "memory.max", "none\n").free() == 1000 * 1024); }
  }

  SECTION("cgroup v1") {
    root.file("proc/meminfo", meminfo)
        .file("proc/self/cgroup", "12:cpu,cpuacct:/a\n4:memory:/docker/abc\n1:name=systemd:/b\n");
    const std::string own = "sys/fs/cgroup/memory/docker/abc/";
    SECTION("no limit is a huge number") {
      root.file(own + "memory.limit_in_bytes", "9223372036854771712\n").file(own + "memory.usage_in_bytes", "77\n");
      CHECK(root.free() == 1000 * 1024);
    }
    SECTION("limit less use, with the cache of the whole tree") {
      root.file(own + "memory.limit_in_bytes", "100000\n").file(own + "memory.usage_in_bytes", "30000\n");
      CHECK(root.free() == 70000);
      root.file(own + "memory.stat", "cache 2\ninactive_file 1\ntotal_cache 9\ntotal_inactive_file 5000\n");
      CHECK(root.free() == 75000);
      root.file("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "20000");
      CHECK(root.free() == 20000);
      root.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "15000")
          .file("sys/fs/cgroup/memory/memory.usage_in_bytes", "14999");
      CHECK(root.free() == 1);
    }
    SECTION("beside v2, the smaller counts") {
      root.file(own + "memory.limit_in_bytes", "100000\n").file("sys/fs/cgroup/memory.max", "6000");
      CHECK(root.free() == 6000);
    }
  }

  SECTION("the reserve") {
    using koila::device::budget_of;
    static_assert(budget_of(0) == 0 && budget_of(index_t{1} << 20) == 0);
    static_assert(budget_of(index_t{128} << 20) == index_t{64} << 20);
    static_assert(budget_of(index_t{16} << 30) == index_t{15} << 30);
    CHECK(budget_of(unlimited) > unlimited / 2);
    CHECK(koila::device::free_host_memory() > 0);  // the memory of this machine
  }
}

TEST_CASE("row 22: what is known of free memory is as old as was asked for, and read once for all") {
  using namespace koila::device;
  constexpr std::int64_t hour = 3'600'000'000'000;
  fake_root root;
  root.file("proc/meminfo", meminfo).file("proc/self/cgroup", "0::/job\n");
  root.file("sys/fs/cgroup/job/memory.max", "100000\n").file("sys/fs/cgroup/job/memory.current", "30000\n");
  const struct machine_again {
    ~machine_again() { read_host_memory_below(""); }
  } at_the_end;
  read_host_memory_below(root.path());
  const memory_reading first = host_memory_now(hour);
  CHECK(first.free == 70000);
  root.file("sys/fs/cgroup/job/memory.current", "90000\n");
  CHECK(host_memory_now(hour).number == first.number);
  CHECK(host_memory_now(hour).free == 70000);
  const memory_reading now = host_memory_now(0);
  CHECK(now.number == first.number + 1);
  CHECK(now.free == 10000);
  CHECK(host_memory_now(hour).free == 10000);
  root.file("sys/fs/cgroup/job/memory.max", "95000\n");  // the limit changes while the process runs
  CHECK(host_memory_now(0).free == 5000);
}

TEST_CASE("huge pages: any part of memory may be named, and what is in it stays") {
  std::vector<char> bytes(std::size_t{9} << 20U);
  for (const std::size_t begin : {std::size_t{0}, std::size_t{1}, std::size_t{3} << 20U})
    for (const std::size_t n : {std::size_t{0}, std::size_t{100}, std::size_t{2} << 20U, bytes.size() - begin}) {
      std::fill(bytes.begin(), bytes.end(), static_cast<char>(n % 100 + begin % 100));
      koila::device::prefer_huge_pages(bytes.data() + begin, static_cast<index_t>(n));
      CHECK(std::count(bytes.begin(), bytes.end(), bytes[0]) == static_cast<std::ptrdiff_t>(bytes.size()));
    }
}
