// SPDX-License-Identifier: MIT
// Replaces operator new in this executable, LibTorch included. Counts live blocks and fails on
// request.
#include "faults/support.hpp"

#include <dlfcn.h>

namespace test {

std::atomic<std::int64_t> heap::blocks = 0, heap::bytes = 0;

namespace {

thread_local std::int64_t left = 0;
thread_local bool has_failed = false;
thread_local heap::calls* counted = nullptr;

/// Returns true if the address belongs to one of LibTorch's libraries. Caches the answer, because
/// dladdr takes a millisecond.
auto is_of_libtorch(const void* address) -> bool {
  struct found {
    const void* address = nullptr;
    bool of_libtorch = false;
  };
  static thread_local std::array<found, 4096> seen;
  found& known = seen[reinterpret_cast<std::uintptr_t>(address) % 4093];
  if (known.address == address) return known.of_libtorch;
  Dl_info where{};
  const bool names_a_file = dladdr(address, &where) != 0 && where.dli_fname != nullptr;
  const std::string_view file = names_a_file ? where.dli_fname : "";
  known = {address, file.find("libtorch") != file.npos || file.find("libc10") != file.npos};
  return known.of_libtorch;
}

/// Counts a call of operator new. If the caller belongs to one of LibTorch's libraries, the call
/// counts as LibTorch's. Otherwise the call counts as koila's. Code that is inlined into koila, and
/// the test itself, also count as koila's.
void count_from(const void* caller) {
  if (counted == nullptr) return;
  heap::calls* const to = std::exchange(counted, nullptr);  // calls inside this function are not counted
  ++(is_of_libtorch(caller) ? to->libtorch : to->koila);
  counted = to;
}

/// A header before each block: the number of bytes requested, and the start of the actual
/// allocation.
struct header {
  std::size_t bytes;
  void* begin;
};

// noinline: otherwise g++ sees malloc in operator delete and warns.
__attribute__((noinline)) auto allocate(std::size_t n, std::size_t alignment) -> void* {
  if (left > 0 && --left == 0) {
    has_failed = true;
    throw std::bad_alloc();
  }
  const std::size_t before = std::max(alignment, sizeof(header));
  void* begin = nullptr;
  if (posix_memalign(&begin, std::max(alignment, sizeof(void*)), before + n) != 0) throw std::bad_alloc();
  auto* const p = static_cast<std::byte*>(begin) + before;
  *reinterpret_cast<header*>(p - sizeof(header)) = {n, begin};
  ++heap::blocks;
  heap::bytes += static_cast<std::int64_t>(n);
  return p;
}
__attribute__((noinline)) void give_back(void* p) noexcept {
  if (p == nullptr) return;
  const header h = *reinterpret_cast<const header*>(static_cast<std::byte*>(p) - sizeof(header));
  --heap::blocks;
  heap::bytes -= static_cast<std::int64_t>(h.bytes);
  std::free(h.begin);
}

}  // namespace

void heap::fail_at(std::int64_t n) { left = n, has_failed = false; }
auto heap::failed() -> bool { return has_failed; }
auto heap::calls_in(const std::function<void()>& f) -> calls {
  calls c;
  counted = &c;
  f();
  counted = nullptr;
  return c;
}

}  // namespace test

void* operator new(std::size_t n) {
  ::test::count_from(__builtin_return_address(0));
  return ::test::allocate(n, alignof(std::max_align_t));
}
void* operator new[](std::size_t n) {
  ::test::count_from(__builtin_return_address(0));
  return ::test::allocate(n, alignof(std::max_align_t));
}
void* operator new(std::size_t n, std::align_val_t a) {
  ::test::count_from(__builtin_return_address(0));
  return ::test::allocate(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  ::test::count_from(__builtin_return_address(0));
  return ::test::allocate(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { ::test::give_back(p); }
void operator delete[](void* p) noexcept { ::test::give_back(p); }
void operator delete(void* p, std::size_t) noexcept { ::test::give_back(p); }
void operator delete[](void* p, std::size_t) noexcept { ::test::give_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { ::test::give_back(p); }
void operator delete[](void* p, std::align_val_t) noexcept { ::test::give_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { ::test::give_back(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { ::test::give_back(p); }
