// SPDX-License-Identifier: MIT
#pragma once
// Says whether the address sanitizer checks the tests, and lets them ignore memory that LibTorch
// itself leaks.
#if defined(__SANITIZE_ADDRESS__)
#define KOILA_TEST_ADDRESSES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KOILA_TEST_ADDRESSES 1
#endif
#endif
#ifdef KOILA_TEST_ADDRESSES
#include <sanitizer/lsan_interface.h>
#endif

namespace koila::test {

/// True if the address sanitizer checks this program. It and the code that is not optimised for it
/// are many times slower, so tests that plan very often do less.
#ifdef KOILA_TEST_ADDRESSES
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// Turns the leak sanitizer off for this thread during its lifetime. LibTorch's archive reader
/// leaks when its constructor throws.
struct leaks_of_libtorch {
#ifdef KOILA_TEST_ADDRESSES
  __lsan::ScopedDisabler off;
#endif
};

}  // namespace koila::test
