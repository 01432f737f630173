// SPDX-License-Identifier: MIT
#pragma once
// Class indices as arguments of LibTorch's operators.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/loss/labels.hpp>

namespace koila::inline v0::detail {

/// Labels for LibTorch's operators. Ignored labels become class 0. On a device, a class that does
/// not exist fails an assertion of the kernel.
struct counted_labels {
  at::Tensor ignored, label;
  counted_labels(const at::Tensor& all, const label_attributes& a)
      : ignored(all.eq(a.ignore_index.value)), label(all.masked_fill(ignored, 0)) {}
};
/// Returns the dim of x that holds the classes.
inline auto class_dim(const at::Tensor& x) -> std::int64_t { return x.dim() == 1 ? 0 : 1; }

}  // namespace koila::inline v0::detail
