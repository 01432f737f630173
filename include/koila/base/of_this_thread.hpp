// SPDX-License-Identifier: MIT
#pragma once
// Objects that exist once per thread.
#include <memory>
#include <new>

#include <pthread.h>

namespace koila::inline v0::detail {

/// Returns the calling thread's T. The first call on a thread creates the object. The end of the
/// thread deletes it, except on the main thread. `thread_local` is not used, because the C library
/// ends the program if there is no memory to register a destructor. Throws std::bad_alloc.
template <class T>
auto of_this_thread() -> T& {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    if (pthread_key_create(&made, [](void* own) { delete static_cast<T*>(own); }) != 0) throw std::bad_alloc();
    return made;
  }();
  if (auto* const own = static_cast<T*>(pthread_getspecific(key))) return *own;
  auto fresh = std::make_unique<T>();
  if (pthread_setspecific(key, fresh.get()) != 0) throw std::bad_alloc();
  return *fresh.release();
}

}  // namespace koila::inline v0::detail
