// SPDX-License-Identifier: MIT
#pragma once
// The loop of ops that copy elements to other positions, such as flip and pad. A position along a
// dim of y determines the position along the same dim of x. All tensors are contiguous.
#include <koila/kernels/cpu/indexing.ipp>

#include <vector>

namespace koila::inline v0::detail {

/// Calls f(e, from) for each element e of y, where `from` is the element of x that corresponds to
/// e. Position i along dim d of y corresponds to position source(d, i, n) along dim d of x, where n
/// is the extent of dim d of x. If `source` returns -1 for any dim, `from` is -1.
template <class Source, class F>
void for_each_remapped(const at::Tensor& y, const at::Tensor& x, Source source, F f) {
  const auto rank = y.dim();
  if (y.numel() == 0) return;
  if (rank == 0) return f(std::int64_t{0}, std::int64_t{0});
  std::vector<std::int64_t> from[dims::capacity];
  for (std::int64_t d = rank - 1, stride = 1; d >= 0; stride *= x.size(d--))
    for (std::int64_t i = 0; i < y.size(d); ++i) {
      const std::int64_t at = source(static_cast<int>(d), i, x.size(d));
      from[d].push_back(at < 0 ? -1 : at * stride);
    }
  std::int64_t count[dims::capacity] = {};
  const std::vector<std::int64_t>& last = from[rank - 1];
  for (std::int64_t i = 0; i < y.numel();) {
    std::int64_t row = 0;
    for (std::int64_t d = 0; d + 1 < rank && row >= 0; ++d) {
      const std::int64_t at = from[d][static_cast<std::size_t>(count[d])];
      row = at < 0 ? -1 : row + at;
    }
    for (const std::int64_t at : last) f(i++, row < 0 || at < 0 ? -1 : row + at);
    for (std::int64_t d = rank - 2; d >= 0 && ++count[d] == y.size(d); --d) count[d] = 0;
  }
}

/// Copies to each element of y the corresponding element of x. `source` must not return -1.
template <class Source>
void remap(const at::Tensor& y, const at::Tensor& x, Source source) {
  for_width(y.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    T* const to = static_cast<T*>(y.mutable_data_ptr());
    const T* const from = data<T>(x);
    for_each_remapped(y, x, source, [&](auto i, auto position) { to[i] = from[position]; });
  });
}

}  // namespace koila::inline v0::detail
