// SPDX-License-Identifier: MIT
#pragma once
// Shared by the kernels of ops on class indices.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/loss/labels.hpp>

namespace koila::detail {

/// Calls f(zero of a floating-point type). Throws c10::TypeError for any other type.
template <class F>
void with_floating(at::ScalarType type, F f) {
  switch (type) {
    case at::kFloat: return f(float{});
    case at::kDouble: return f(double{});
    case at::kHalf: return f(at::Half{});
    case at::kBFloat16: return f(at::BFloat16{});
    default: TORCH_CHECK_TYPE(false, "labels of a value that is not floating-point");
  }
}

/// Calls f(label number, class) for each label; the class is -1 if the label is ignored. Throws
/// c10::IndexError if a class does not exist.
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
  with_floating(x.scalar_type(), [&](auto zero) {
    for_each_label(label, classes, a, [&](std::int64_t i, std::int64_t c) {
      f(zero, i, c < 0 ? -1 : (i / inner * classes + c) * inner + i % inner);
    });
  });
}

}  // namespace koila::detail
