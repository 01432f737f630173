#pragma once
// Objects that each thread has of its own.
#include <memory>
#include <new>

#include <pthread.h>

namespace koila::detail {

/// The T of this thread, which is made where the thread asks first, and gone when that ends; the
/// main thread's stays. It is not `thread_local`: where there is no memory to note a destructor,
/// the C library ends the program. Throws std::bad_alloc.
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

}  // namespace koila::detail
