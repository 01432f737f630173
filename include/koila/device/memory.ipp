// Definitions of memory.hpp. Written with C's files and few strings: every file that includes koila::header_only compiles this.
#include <koila/ops/family/definitions.hpp>

#include <cstdio>
#include <cstdlib>
#include <limits>

namespace koila::device {

namespace detail {

inline constexpr index_t unlimited = std::numeric_limits<index_t>::max();

/// What a file holds; nothing where it cannot be read.
KOILA_COLD KOILA_INLINE auto text_of(const std::string& path) -> std::string {
  std::string text;
  std::FILE* const file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return text;
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, n);
  std::fclose(file);
  return text;
}

/// The number that a text begins with, or `otherwise` ("max", or nothing).
KOILA_COLD KOILA_INLINE auto number_at(const char* text, index_t otherwise) -> index_t {
  char* end = nullptr;
  const long long n = std::strtoll(text, &end, 10);
  return end == text ? otherwise : static_cast<index_t>(n);
}

/// The value of the line "key: n" or "key n" of a text, or `otherwise`.
KOILA_COLD KOILA_INLINE auto field_of(const std::string& text, const std::string& key, index_t otherwise) -> index_t {
  for (std::size_t at = 0; (at = text.find(key, at)) != std::string::npos; at += key.size()) {
    std::size_t end = at + key.size();
    if (at > 0 && text[at - 1] != '\n') continue;
    if (text[end] == ':') ++end;
    if (text[end] == ' ' || text[end] == '\t') return number_at(text.c_str() + end, otherwise);
  }
  return otherwise;
}

/// The folder of this process in a cgroup hierarchy, from /proc/self/cgroup: lines "0::/path" (v2) or "n:memory:/path" (v1).
/// `controllers` is the middle as ",memory,", or ",," for v2's none.
KOILA_COLD KOILA_INLINE auto own_cgroup(const std::string& text, const char* controllers) -> std::string {
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    const std::size_t first = text.find(':', begin);
    const std::size_t second = first < end ? text.find(':', first + 1) : std::string::npos;
    if (second < end) {
      std::string names = text.substr(first, second - first + 1);  // ":cpu,cpuacct:"
      for (char& c : names)
        if (c == ':') c = ',';
      if (names.find(controllers) != std::string::npos) return text.substr(second + 1, end - second - 1);
    }
    begin = end + 1;
  }
  return "/";
}

/// The least headroom of a cgroup and all above it: limit less what is used and cannot be given back.
KOILA_COLD KOILA_INLINE auto headroom(const std::string& mount, std::string group, const char* limit, const char* usage,
                                      const char* reclaimable) -> index_t {
  index_t least = unlimited;
  const auto number_in = [](const std::string& path, index_t otherwise) { return number_at(text_of(path).c_str(), otherwise); };
  while (true) {
    std::string folder = mount;
    folder += group;
    folder += '/';
    const index_t most = number_in(folder + limit, unlimited);
    if (most < unlimited / 2) {  // v1 writes a huge number for "no limit"
      const index_t used = number_in(folder + usage, 0) - field_of(text_of(folder + "memory.stat"), reclaimable, 0);
      const index_t left = used <= 0 ? most : used < most ? most - used : 0;
      if (left < least) least = left;
    }
    if (group.size() < 2) return least;
    const std::size_t slash = group.rfind('/');
    group.resize(slash == std::string::npos ? 0 : slash);
  }
}

}  // namespace detail

KOILA_COLD KOILA_INLINE auto free_host_memory(const std::string& root) -> index_t {
  index_t least = detail::unlimited;
  const index_t available = detail::field_of(detail::text_of(root + "/proc/meminfo"), "MemAvailable", -1);
  if (available >= 0) least = available * 1024;
  const std::string groups = detail::text_of(root + "/proc/self/cgroup"), mount = root + "/sys/fs/cgroup";
  const index_t v2 = detail::headroom(mount, detail::own_cgroup(groups, ",,"), "memory.max", "memory.current", "inactive_file");
  const index_t v1 = detail::headroom(mount + "/memory", detail::own_cgroup(groups, ",memory,"), "memory.limit_in_bytes",
                                      "memory.usage_in_bytes", "total_inactive_file");
  if (v2 < least) least = v2;
  return v1 < least ? v1 : least;
}

}  // namespace koila::device
