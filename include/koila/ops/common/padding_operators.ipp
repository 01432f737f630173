// SPDX-License-Identifier: MIT
#pragma once
// pad and its backward op by LibTorch's operators.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/vision/padding.hpp>

#include <vector>

namespace koila::inline v0::detail {

/// Returns the index source(0), ..., source(n - 1) on the device of `like`. These are the
/// positions from which the n elements of a dim are copied.
template <class Source>
auto source_index(const at::Tensor& like, std::int64_t n, Source source) -> at::Tensor {
  at::Tensor index = like.new_empty({n}, at::TensorOptions(at::kLong).device(at::kCPU));
  auto* const at = index.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < n; ++i) at[i] = source(i);
  return index.to(like.device());
}

/// Returns a view of the elements of t that the original and the padded value have in common. t
/// is the padded value if `of_padded` is true, else the original. `one` has the sizes of the
/// original, and `padded` has the sizes of the padded value.
inline auto common_part(at::Tensor t, const pad_attributes& a, at::IntArrayRef one, at::IntArrayRef padded,
                        bool of_padded) -> at::Tensor {
  const int rank = static_cast<int>(t.dim());
  for (int d = 0; d < rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const index_t before = a.amount(d, rank, 0).value, cut = std::max<index_t>(0, -before),
                  put = std::max<index_t>(0, before);
    const index_t n = std::max<index_t>(0, std::min(one[i] - cut, padded[i] - put));
    t = n == 0 ? t.narrow(d, 0, 0) : t.narrow(d, of_padded ? put : cut, n);
  }
  return t;
}

inline void pad_by_operators(at::Tensor& y, const at::Tensor& x, const pad_attributes& a) {
  if (a.mode.value == choice::constant) {
    y.fill_(a.fill_value.value);
    common_part(y, a, x.sizes(), y.sizes(), true).copy_(common_part(x, a, x.sizes(), y.sizes(), false));
    return;
  }
  const int rank = static_cast<int>(y.dim());
  at::Tensor from = x;
  for (int d = 0; d < rank; ++d)
    if (a.pads(d, rank))
      from = from.index_select(d, source_index(y, y.size(d), [&](auto i) { return a.source(d, rank, i, x.size(d)); }));
  y.copy_(from);
}

inline void pad_backward_by_operators(at::Tensor& dx, const at::Tensor& dy, const pad_attributes& a) {
  if (a.mode.value == choice::constant) {
    dx.zero_();
    common_part(dx, a, dx.sizes(), dy.sizes(), false).copy_(common_part(dy, a, dx.sizes(), dy.sizes(), true));
    return;
  }
  const int rank = static_cast<int>(dx.dim());
  at::Tensor back = dy;
  for (int d = 0; d < rank; ++d) {
    if (!a.pads(d, rank)) continue;
    std::vector<std::int64_t> sizes = back.sizes().vec();
    sizes[static_cast<std::size_t>(d)] = dx.size(d);
    const at::Tensor index = source_index(dx, dy.size(d), [&](auto i) { return a.source(d, rank, i, dx.size(d)); });
    back = back.new_zeros(sizes).index_add_(d, index, back);
  }
  dx.copy_(back);
}

}  // namespace koila::inline v0::detail
