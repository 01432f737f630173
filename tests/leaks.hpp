// SPDX-License-Identifier: MIT
#pragma once
// Lets tests ignore memory that LibTorch leaks.
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

/// Turns the leak sanitizer off for this thread while this object exists. LibTorch's archive reader
/// leaks if its constructor throws.
struct leaks_of_libtorch {
#ifdef KOILA_TEST_ADDRESSES
  __lsan::ScopedDisabler off;
#endif
};

}  // namespace koila::test
