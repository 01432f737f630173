// SPDX-License-Identifier: MIT
#pragma once
// Functions on tensors that LibTorch does not offer publicly.
#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <iosfwd>

namespace koila::inline v0::detail {

/// A vector that does not allocate if it has at most N elements.
template <class T, unsigned N>
using small_vector = c10::SmallVector<T, N>;

/// A wrapped number is a tensor without dims that represents a C++ number among an operator's
/// operands. A wrapped number has the lowest priority in dtype promotion.
inline auto is_wrapped_number(const at::Tensor& t) -> bool { return t.unsafeGetTensorImpl()->is_wrapped_number(); }
inline void set_wrapped_number(const at::Tensor& t, bool wrapped) {
  t.unsafeGetTensorImpl()->set_wrapped_number(wrapped);
}

/// Returns false if the elements in memory are not the tensor's values: the tensor is a lazy
/// conjugate or negative, is nested, or has only zeros and no memory.
inline auto stores_its_values(const at::Tensor& t) -> bool {
  using key = c10::DispatchKey;
  constexpr c10::DispatchKeySet others{key::Negative, key::Conjugate, key::NestedTensor, key::ZeroTensor};
  return !t.key_set().has_any(others);
}

/// Tells autograd that a tensor has changed.
inline void bump_version(const at::Tensor& t) { t.unsafeGetTensorImpl()->bump_version(); }

/// Returns a new tensor over the same storage as `x`, without autograd history. Does not call the
/// dispatcher.
auto detached_alias(const at::Tensor& x) -> at::Tensor;

/// Returns a contiguous float32 tensor over the memory at `elements`. The memory must outlive the
/// tensor.
auto over_memory(float* elements, at::IntArrayRef sizes) -> at::Tensor;
void print(std::ostream& os, const at::Tensor& t);

}  // namespace koila::inline v0::detail
