// SPDX-License-Identifier: MIT
#pragma once
// Shared by the kernels of ops on class indices.
#include <koila/ops/common/floating.ipp>
#include <koila/ops/loss/labels.hpp>

namespace koila::inline v0::detail {

/// Calls f(label number, class) for each label. The class is -1 if the label is ignored. Throws
/// c10::IndexError if a label that is not ignored is out of range.
template <class F>
void for_each_label(const at::Tensor& label, std::int64_t classes, const label_attributes& a, F f) {
  const auto* labels = data<std::int64_t>(label);
  for (std::int64_t i = 0; i < label.numel(); ++i) {
    const std::int64_t c = labels[i];
    const bool ignored = c == a.ignore_index.value;
    TORCH_CHECK_INDEX(ignored || (c >= 0 && c < classes), "label ", c, " is not in [0, ", classes, ")");
    f(i, ignored ? -1 : c);
  }
}

/// Calls f(zero of x's type, label number, position) for each label of x (samples, classes, ...).
/// The position is that of the label's class in x, or -1 if the label is ignored.
template <class F>
void for_each_labelled(const at::Tensor& x, const at::Tensor& label, const label_attributes& a, F f) {
  const std::int64_t classes = x.size(x.dim() == 1 ? 0 : 1);
  std::int64_t inner = 1;
  for (std::int64_t i = 2; i < x.dim(); ++i) inner *= x.size(i);
  with_floating_type(x.scalar_type(), [&](auto zero) {
    for_each_label(label, classes, a, [&](std::int64_t i, std::int64_t c) {
      f(zero, i, c < 0 ? -1 : (i / inner * classes + c) * inner + i % inner);
    });
  });
}

}  // namespace koila::inline v0::detail
