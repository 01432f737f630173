// SPDX-License-Identifier: MIT
#pragma once
// What koila needs of tensors that is no public function of LibTorch.
#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <iosfwd>

namespace koila::detail {

/// A vector of few elements, which then allocates nothing.
template <class T, unsigned N>
using small_vector = c10::SmallVector<T, N>;

/// A number among the operands of an operator is a tensor without dims that takes no part in the
/// promotion of dtypes.
inline auto is_wrapped_number(const at::Tensor& t) -> bool { return t.unsafeGetTensorImpl()->is_wrapped_number(); }
inline void set_wrapped_number(const at::Tensor& t, bool is) { t.unsafeGetTensorImpl()->set_wrapped_number(is); }

/// Tells autograd that a tensor has changed.
inline void bump_version(const at::Tensor& t) { t.unsafeGetTensorImpl()->bump_version(); }

/// Returns a new tensor over the same storage, without autograd history and without the dispatcher.
auto detached_alias(const at::Tensor& x) -> at::Tensor;

/// Returns a contiguous float32 tensor over memory that must stay alive.
auto over_memory(float* elements, at::IntArrayRef sizes) -> at::Tensor;
void print(std::ostream& os, const at::Tensor& t);

}  // namespace koila::detail
