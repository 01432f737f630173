// SPDX-License-Identifier: MIT
// Definitions of memory.hpp.
#include <koila/device/memory.hpp>
#include <koila/ops/common/definitions.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <mutex>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace koila::inline v0::device {

namespace detail {

inline constexpr index_t unlimited = std::numeric_limits<index_t>::max();

/// Returns the contents of a file, or an empty string if the file cannot be read.
auto text_of(const std::string& path) -> std::string {
  struct closing {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string text;
  const std::unique_ptr<std::FILE, closing> file(std::fopen(path.c_str(), "r"));
  if (!file) return text;
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, file.get())) > 0;) text.append(part, n);
  return text;
}

/// Calls f with the contents of a file. The contents of a short file are read to the stack,
/// because a step calls this function and must not allocate.
template <class F>
auto with_text_of(const std::string& path, const F& f) {
#ifdef __linux__
  char text[8192];
  std::size_t n = 0;
  if (const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC); file >= 0) {
    for (ssize_t got = 0; (got = ::read(file, text + n, sizeof text - 1 - n)) > 0;) n += static_cast<std::size_t>(got);
    ::close(file);
  }
  text[n] = 0;
  if (n + 1 < sizeof text) return f(static_cast<const char*>(text));
#endif
  return f(text_of(path).c_str());
}

/// Returns the number at the beginning of a text, or `otherwise` if there is no number ("max", or
/// an empty text).
auto number_at(const char* text, index_t otherwise) -> index_t {
  char* end = nullptr;
  const long long n = std::strtoll(text, &end, 10);
  return end == text ? otherwise : static_cast<index_t>(n);
}

/// Returns n of the line "key: n" or "key n" of a text, or `otherwise` if there is no such line.
auto field_of(const char* text, const char* key, index_t otherwise) -> index_t {
  const std::size_t length = std::strlen(key);
  for (const char* at = text; (at = std::strstr(at, key)) != nullptr; at += length) {
    const char* end = at + length;
    if (at > text && at[-1] != '\n') continue;
    if (*end == ':') ++end;
    if (*end == ' ' || *end == '\t') return number_at(end, otherwise);
  }
  return otherwise;
}

/// Returns the folder of this process in a cgroup hierarchy. `text` has the contents of
/// /proc/self/cgroup, with lines such as "0::/path" (v2) or "n:memory:/path" (v1). `controllers`
/// is the middle part of the line: ",memory," for v1 or ",," for v2.
auto own_cgroup(const std::string& text, const char* controllers) -> std::string {
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

auto number_in(const std::string& path, index_t otherwise) -> index_t {
  return with_text_of(path, [&](const char* text) { return number_at(text, otherwise); });
}

auto field_in(const std::string& path, const char* key, index_t otherwise) -> index_t {
  return with_text_of(path, [&](const char* text) { return field_of(text, key, otherwise); });
}

/// Returns the time of the monotonic clock.
inline auto nanoseconds() -> std::int64_t {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{1'000'000'000} * t.tv_sec + t.tv_nsec;
}

}  // namespace detail

/// Adds this process's cgroup in a hierarchy, and all cgroups above it, to `groups_`.
void host_memory::find(const char* limit, const char* usage, const char* reclaimable, const std::string& mount,
                       std::string own) {
  while (true) {
    const std::string folder = mount + own + '/';
    if (!detail::text_of(folder + limit).empty())
      groups_.push_back({folder + limit, folder + usage, folder + "memory.stat", reclaimable});
    if (own.size() < 2) return;
    const std::size_t slash = own.rfind('/');
    own.resize(slash == std::string::npos ? 0 : slash);
  }
}

void host_memory::find() {
  groups_.clear();
  const std::string own = detail::text_of(root_ + "/proc/self/cgroup"), mount = root_ + "/sys/fs/cgroup";
  find("memory.max", "memory.current", "inactive_file", mount, detail::own_cgroup(own, ",,"));
  find("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", mount + "/memory",
       detail::own_cgroup(own, ",memory,"));
}

/// Returns the smaller of MemAvailable and the least headroom of the cgroups. The headroom of a
/// cgroup is its limit minus the used memory that cannot be reclaimed.
auto host_memory::free() -> index_t {
  constexpr std::int64_t second = 1'000'000'000;
  if (const std::int64_t now = detail::nanoseconds(); found_ == 0 || now - found_ > second) find(), found_ = now;
  index_t least = detail::unlimited;
  const index_t available = detail::field_in(meminfo_, "MemAvailable", -1);
  if (available >= 0) least = available * 1024;
  for (const group& g : groups_) {
    const index_t most = detail::number_in(g.limit, detail::unlimited);
    if (most >= detail::unlimited / 2) continue;  // v1 writes a huge number for "no limit"
    const index_t used = detail::number_in(g.usage, 0) - detail::field_in(g.stat, g.reclaimable, 0);
    least = std::min(least, used <= 0 ? most : used < most ? most - used : 0);
  }
  return least;
}

auto free_host_memory(const std::string& root) -> index_t { return host_memory(root).free(); }

namespace detail {

/// The last reading of free memory, which all threads share.
struct shared_reading {
  std::mutex reading;
  host_memory host;
  std::atomic<index_t> free{0};
  std::atomic<std::uint64_t> number{0};
  std::atomic<std::int64_t> time{0}, took{0};  // nanoseconds
  std::int64_t before = 0;
};
inline auto last_reading() -> shared_reading& {
  static shared_reading last;
  return last;
}

}  // namespace detail

auto host_memory_now(std::int64_t age) -> memory_reading {
  constexpr std::int64_t longest = 50'000'000;
  detail::shared_reading& last = detail::last_reading();
  const auto fresh = [&](std::int64_t now) {
    const std::int64_t least = age > 0 ? std::min(longest, 50 * last.took.load()) : 0;
    return last.number.load() > 0 && now - last.time.load() < std::max(age, least);
  };
  const auto known = [&]() -> memory_reading {
    const std::uint64_t number = last.number.load();  // read first, so that `free` is at least as recent
    return {last.free.load(), number};
  };
  if (fresh(detail::nanoseconds())) return known();
  const std::lock_guard lock(last.reading);
  const std::int64_t begin = detail::nanoseconds();
  if (!fresh(begin)) {
    last.free = last.host.free();
    ++last.number;
    last.time = begin;
    const std::int64_t took = detail::nanoseconds() - begin;
    last.took = std::min(took, last.before);  // the smaller of the last two: one interrupted reading does not count
    last.before = took;
  }
  return known();
}

void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void prefer_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] index_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20U;
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(bytes)) / page * page;
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

void read_host_memory_below(const std::string& root) {
  detail::shared_reading& last = detail::last_reading();
  const std::lock_guard lock(last.reading);
  last.host = host_memory(root);
  last.took = last.before = 0;
  last.time = std::numeric_limits<std::int64_t>::min() / 2;
}

}  // namespace koila::inline v0::device
