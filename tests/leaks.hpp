#pragma once
// Memory that LibTorch loses, which is no fault of koila's.
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

/// While it lives, the sanitizer does not ask whether what this thread allocates is freed: LibTorch's reader of archives loses what it has when it throws.
struct leaks_of_libtorch {
#ifdef KOILA_TEST_ADDRESSES
  __lsan::ScopedDisabler off;
#endif
};

}  // namespace koila::test
