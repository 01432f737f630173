// SPDX-License-Identifier: MIT
#pragma once
// The scratch memory of kernels on the host.
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/empty_ops.h>

#include <cstddef>
#include <utility>

namespace koila::inline v0::detail {

/// While this object exists, the kernels that this thread calls take their scratch memory from the
/// bytes of tensor t. The kernels run one after the other, so all of them use the same bytes.
class kept_scratch {
 public:
  explicit kept_scratch(const at::Tensor& t)
      : data_(t.defined() ? t.mutable_data_ptr() : nullptr), bytes_(t.defined() ? t.nbytes() : 0),
        before_(std::exchange(current_, this)) {}
  kept_scratch(const kept_scratch&) = delete;
  auto operator=(const kept_scratch&) -> kept_scratch& = delete;
  ~kept_scratch() { current_ = before_; }

  /// Reserves the next `bytes` bytes and returns their address, or returns null if too few bytes
  /// are left.
  static auto acquire(std::size_t bytes) -> void* {
    if (current_ == nullptr || bytes > current_->bytes_ - current_->lent_) return nullptr;
    return static_cast<std::byte*>(current_->data_) + std::exchange(current_->lent_, current_->lent_ + bytes);
  }
  /// Releases the `bytes` bytes that were reserved last.
  static void give_back(std::size_t bytes) { current_->lent_ -= bytes; }

 private:
  inline static thread_local kept_scratch* current_ = nullptr;
  void* data_;
  std::size_t bytes_, lent_ = 0;
  kept_scratch* before_;
};

/// Scratch memory of `elements` elements for a running kernel. The memory comes from
/// `kept_scratch`, or is allocated if `kept_scratch` has too few bytes. The cost of the op must
/// count the memory as workspace, see op_cost. If a kernel has several objects of this class, their
/// elements must have the same size, and the objects must be destroyed in the reverse order of
/// their construction.
template <class T>
class scratch {
 public:
  explicit scratch(index_t elements) {
    if (elements == 0) return;
    const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(T);
    data_ = static_cast<T*>(kept_scratch::acquire(bytes));
    lent_ = data_ != nullptr ? bytes : 0;
    if (lent_ > 0) return;
    own_ = at::_ops::empty_memory_format::call({elements}, c10::CppTypeToScalarType<T>::value, std::nullopt,
                                               std::nullopt, std::nullopt, std::nullopt);
    data_ = static_cast<T*>(own_.mutable_data_ptr());
  }
  scratch(const scratch&) = delete;
  auto operator=(const scratch&) -> scratch& = delete;
  ~scratch() {
    if (lent_ > 0) kept_scratch::give_back(lent_);
  }
  /// Returns null if there are no elements.
  auto data() const -> T* { return data_; }

 private:
  at::Tensor own_;
  T* data_ = nullptr;
  std::size_t lent_ = 0;
};

}  // namespace koila::inline v0::detail
