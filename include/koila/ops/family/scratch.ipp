#pragma once
// What kernels of the host take of memory for themselves while they run.
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/empty_ops.h>

#include <cstddef>
#include <utility>

namespace koila::detail {

/// While it lives, kernels on this thread, which run one after the other, take what they need of this tensor's bytes.
class kept_scratch {
 public:
  explicit kept_scratch(const at::Tensor& t)
      : data_(t.defined() ? t.mutable_data_ptr() : nullptr), bytes_(t.defined() ? t.nbytes() : 0),
        before_(std::exchange(current_, this)) {}
  kept_scratch(const kept_scratch&) = delete;
  auto operator=(const kept_scratch&) -> kept_scratch& = delete;
  ~kept_scratch() { current_ = before_; }

  /// So many bytes until they are given back; null where there are not as many, or a kernel has them.
  static auto lend(std::size_t bytes) -> void* {
    if (current_ == nullptr || current_->lent_ || bytes > current_->bytes_) return nullptr;
    current_->lent_ = true;
    return current_->data_;
  }
  static void give_back() { current_->lent_ = false; }

 private:
  inline static thread_local kept_scratch* current_ = nullptr;
  void* data_;
  std::size_t bytes_;
  bool lent_ = false;
  kept_scratch* before_;
};

/// So many elements while a kernel runs: of what its program keeps for it, or allocated. An op states them as its workspace, see work.
template <class T>
class scratch {
 public:
  explicit scratch(index_t elements) {
    if (elements == 0) return;
    data_ = static_cast<T*>(kept_scratch::lend(static_cast<std::size_t>(elements) * sizeof(T)));
    lent_ = data_ != nullptr;
    if (lent_) return;
    own_ = at::_ops::empty_memory_format::call({elements}, c10::CppTypeToScalarType<T>::value, std::nullopt, std::nullopt,
                                               std::nullopt, std::nullopt);
    data_ = static_cast<T*>(own_.mutable_data_ptr());
  }
  scratch(const scratch&) = delete;
  auto operator=(const scratch&) -> scratch& = delete;
  ~scratch() {
    if (lent_) kept_scratch::give_back();
  }
  /// Null of none.
  auto data() const -> T* { return data_; }

 private:
  at::Tensor own_;
  T* data_ = nullptr;
  bool lent_ = false;
};

}  // namespace koila::detail
