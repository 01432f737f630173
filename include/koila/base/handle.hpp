// SPDX-License-Identifier: MIT
#pragma once
// A reference-counted pointer that also works in constant expressions, because models can also be
// planned at compile time.
#include <type_traits>
#include <utility>

namespace koila::inline v0::detail {

/// Base of the objects that a `handle` owns.
struct object {
  int count = 0;

  constexpr object() = default;
  object(const object&) = delete;
  auto operator=(const object&) -> object& = delete;
  constexpr virtual ~object() = default;

  constexpr void retain() const {
    if (std::is_constant_evaluated()) ++const_cast<object*>(this)->count;
    else __atomic_fetch_add(&const_cast<object*>(this)->count, 1, __ATOMIC_RELAXED);
  }
  /// Drops a reference. Returns true if the reference was the last one.
  constexpr auto release() const -> bool {
    if (std::is_constant_evaluated()) return --const_cast<object*>(this)->count == 0;
    return __atomic_sub_fetch(&const_cast<object*>(this)->count, 1, __ATOMIC_ACQ_REL) == 0;
  }
};

/// Shares ownership of an object. As with std::shared_ptr, several threads may copy and destroy
/// handles to the same object.
template <class T>
class handle {
 public:
  constexpr handle() = default;
  constexpr explicit handle(T* p) : p_(p) {
    if (p_ != nullptr) p_->retain();
  }
  constexpr handle(const handle& o) : handle(o.p_) {}
  constexpr handle(handle&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template <class U>
    requires(std::is_convertible_v<U*, T*> && !std::is_same_v<T, U>)
  constexpr handle(const handle<U>& o) : handle(o.get()) {}
  constexpr auto operator=(handle o) noexcept -> handle& {
    std::swap(p_, o.p_);
    return *this;
  }
  constexpr ~handle() {
    if (p_ != nullptr && p_->release()) destroy(p_);
  }

  constexpr auto get() const -> T* { return p_; }
  constexpr auto operator->() const -> T* { return p_; }
  constexpr auto operator*() const -> T& { return *p_; }
  constexpr explicit operator bool() const { return p_ != nullptr; }
  /// Reads the pointer atomically. Other threads may call `publish` at the same time.
  auto published() const -> T* { return __atomic_load_n(&p_, __ATOMIC_ACQUIRE); }
  /// Assigns atomically. Other threads may call `published` at the same time.
  void publish(handle o) noexcept { o.p_ = __atomic_exchange_n(&p_, o.p_, __ATOMIC_ACQ_REL); }
  /// Returns true if this is the only handle to the object.
  constexpr auto sole() const -> bool {
    if (std::is_constant_evaluated()) return p_->count == 1;
    return __atomic_load_n(&p_->count, __ATOMIC_ACQUIRE) == 1;
  }
  friend constexpr auto operator==(const handle& a, const handle& b) -> bool { return a.p_ == b.p_; }

 private:
  // This function is not inlined, because g++ 12 would mistake the release of a second handle for
  // a use of the object that the first handle has deleted. The function is rarely called.
  [[gnu::noinline]] static constexpr void destroy(T* p) { delete p; }

  T* p_ = nullptr;
};

template <class T, class... Args>
constexpr auto make_handle(Args&&... args) -> handle<T> {
  return handle<T>(new T(std::forward<Args>(args)...));
}

}  // namespace koila::inline v0::detail
