#pragma once
// What the kernels of ops on class indices share.
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/labels.hpp>

namespace koila::detail {

/// Calls f(zero of x's type, row, classes, class or -1) for every row of x; throws c10::IndexError for a class that does not exist.
template <class F>
void for_each_label(const at::Tensor& x, const at::Tensor& label, const label_attributes& a, F f) {
  const std::int64_t classes = x.size(-1), rows = label.numel();
  const auto* labels = data<std::int64_t>(label);
  const auto all = [&](auto zero) {
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t c = labels[i];
      const bool ignored = c == a.ignore_index.value;
      TORCH_CHECK_INDEX(ignored || (c >= 0 && c < classes), "label ", c, " is not in [0, ", classes, ")");
      f(zero, i, classes, ignored ? -1 : c);
    }
  };
  switch (x.scalar_type()) {
    case at::kFloat: return all(float{});
    case at::kDouble: return all(double{});
    case at::kHalf: return all(at::Half{});
    case at::kBFloat16: return all(at::BFloat16{});
    default: TORCH_CHECK_TYPE(false, "labels of a value that is not floating-point");
  }
}

}  // namespace koila::detail
