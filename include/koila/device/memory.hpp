#pragma once
// How much memory there is to take now.
#include <koila/shape/axis.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

namespace koila::device {

/// What is left to the rest of the system when koila decides for itself: 1/16 of what is free, and at least this many bytes.
inline constexpr index_t least_reserve = index_t{64} << 20;

namespace detail {

inline constexpr index_t unlimited = std::numeric_limits<index_t>::max();

/// The number a file begins with, or `otherwise` ("max", or no such file).
inline auto number_in(const std::string& path, index_t otherwise) -> index_t {
  std::ifstream file(path);
  std::string word;
  index_t n = otherwise;
  if (file >> word) std::from_chars(word.data(), word.data() + word.size(), n);
  return n;
}

/// The value of "Key:   n" or "key n" in a file, or `otherwise`.
inline auto field_in(const std::string& path, const std::string& key, index_t otherwise) -> index_t {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    if (word != key && word != key + ":") continue;
    index_t n = otherwise;
    file >> n;
    return n;
  }
  return otherwise;
}

/// The folder of this process in a cgroup hierarchy, from /proc/self/cgroup: lines "0::/path" (v2) or "n:memory:/path" (v1).
inline auto own_cgroup(const std::string& root, const std::string& controller) -> std::string {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controller.empty() ? names == ",," : names.find("," + controller + ",") != std::string::npos)
      return line.substr(second + 1);
  }
  return "/";
}

/// The least headroom of a cgroup and all above it: limit less what is used and cannot be given back.
inline auto headroom(const std::string& mount, std::string group, const char* limit, const char* usage, const char* reclaimable)
    -> index_t {
  index_t least = unlimited;
  while (true) {
    const std::string folder = mount + group + (group.ends_with('/') ? "" : "/");
    const index_t most = number_in(folder + limit, unlimited);
    if (most < unlimited / 2) {  // v1 writes a huge number for "no limit"
      const index_t used =
          std::max<index_t>(0, number_in(folder + usage, 0) - field_in(folder + "memory.stat", reclaimable, 0));
      least = std::min(least, std::max<index_t>(0, most - used));
    }
    if (group == "/" || group.empty()) return least;
    const auto slash = group.rfind('/');
    group = slash == 0 ? "/" : group.substr(0, slash);
  }
}

}  // namespace detail

/// Bytes that this process may still take on the host: the smaller of MemAvailable and the headroom of its cgroups, v1 and v2.
/// `root` is where /proc and /sys are, for tests.
inline auto free_host_memory(const std::string& root = "") -> index_t {
  index_t least = detail::unlimited;
  const index_t available = detail::field_in(root + "/proc/meminfo", "MemAvailable", -1);
  if (available >= 0) least = available * 1024;
  const std::string mount = root + "/sys/fs/cgroup";
  least =
      std::min(least, detail::headroom(mount, detail::own_cgroup(root, ""), "memory.max", "memory.current", "inactive_file"));
  return std::min(least, detail::headroom(mount + "/memory", detail::own_cgroup(root, "memory"), "memory.limit_in_bytes",
                                          "memory.usage_in_bytes", "total_inactive_file"));
}

/// What koila lets itself take of so many free bytes: all but the reserve.
constexpr auto budget_of(index_t free) -> index_t {
  const index_t reserve = free / 16 > least_reserve ? free / 16 : least_reserve;
  return free > reserve ? free - reserve : 0;
}

}  // namespace koila::device
