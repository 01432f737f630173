// SPDX-License-Identifier: MIT
#include "malloc/failing.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

extern "C" {  // glibc's own functions
auto __libc_malloc(std::size_t n) -> void*;                         // NOLINT
auto __libc_calloc(std::size_t count, std::size_t n) -> void*;      // NOLINT
auto __libc_realloc(void* p, std::size_t n) -> void*;               // NOLINT
auto __libc_memalign(std::size_t alignment, std::size_t n) -> void*;  // NOLINT
}

namespace {

std::atomic<bool> fails{false};
std::atomic<std::uint64_t> calls{0};
std::atomic<int> failures{0};
std::uint64_t seed = 0, below = 0;  // a call fails if its random number is less than `below`

/// Returns true if this call must fail. The random number of a call is splitmix64 of the call's
/// number.
auto is_refused() -> bool {
  if (!fails.load(std::memory_order_relaxed)) return false;
  std::uint64_t z = seed + (calls.fetch_add(1, std::memory_order_relaxed) + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  if ((z ^ z >> 31) >= below) return false;
  failures.fetch_add(1, std::memory_order_relaxed);
  errno = ENOMEM;
  return true;
}

}  // namespace

namespace test {

void failing_malloc::begin(double probability, std::uint64_t s) {
  seed = s * 0xd1342543de82ef95;
  below = probability < 1 ? static_cast<std::uint64_t>(probability * 0x1p64) : ~std::uint64_t{0};
  calls = 0;
  failures = 0;
}
void failing_malloc::resume() { fails = true; }
void failing_malloc::pause() { fails = false; }
auto failing_malloc::failed() -> int { return failures; }

}  // namespace test

extern "C" {

auto malloc(std::size_t n) noexcept -> void* { return is_refused() ? nullptr : __libc_malloc(n); }
auto calloc(std::size_t count, std::size_t n) noexcept -> void* {
  return is_refused() ? nullptr : __libc_calloc(count, n);
}
auto realloc(void* p, std::size_t n) noexcept -> void* { return is_refused() ? nullptr : __libc_realloc(p, n); }
auto memalign(std::size_t alignment, std::size_t n) noexcept -> void* {
  return is_refused() ? nullptr : __libc_memalign(alignment, n);
}
auto aligned_alloc(std::size_t alignment, std::size_t n) noexcept -> void* { return memalign(alignment, n); }
auto posix_memalign(void** to, std::size_t alignment, std::size_t n) noexcept -> int {
  void* const p = memalign(alignment, n);
  if (p == nullptr) return ENOMEM;
  *to = p;
  return 0;
}
}
