// SPDX-License-Identifier: MIT
#pragma once
// Copies values. Allocates only memory that the memory plan counts.
#include <koila/kernels/copy.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/torch/parallel.hpp>

#include <algorithm>
#include <cstring>

namespace koila::inline v0::detail {

/// Returns true if x is one element, repeated along all dims by strides of 0.
inline auto repeats_one(const at::Tensor& x) -> bool {
  for (std::int64_t d = 0; d < x.dim(); ++d)
    if (x.size(d) == 0 || (x.size(d) > 1 && x.stride(d) != 0)) return false;
  return true;
}
/// If a tensor has fewer elements than this, filling it is faster than calling LibTorch's operator.
inline constexpr std::int64_t few_repeated = 4096;

/// Copies x to y, which must have the same sizes.
inline void copy_values(at::Tensor& y, const at::Tensor& x) {
  if (!(repeats_one(x) && y.scalar_type() == x.scalar_type() && y.is_contiguous() && y.numel() < few_repeated))
    return kernels::copy_by_operator(y, x);
  for_width(y.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    std::fill_n(static_cast<T*>(y.mutable_data_ptr()), y.numel(), *data<T>(x));
  });
}

/// Copies `lines` lines of `line` bytes each, on LibTorch's threads. In `from`, the lines are
/// adjacent. In `to`, they start `step` bytes apart.
inline void copy_lines(char* to, index_t step, const char* from, index_t line, index_t lines) {
  if (line == 0) return;
  constexpr index_t worth_a_thread = 128 << 10;
  const index_t piece = std::min(line, worth_a_thread), in_line = (line + piece - 1) / piece;
  parallel_for(0, lines * in_line, worth_a_thread / piece, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      const index_t l = i / in_line, start = i % in_line * piece;
      std::memcpy(to + l * step + start, from + l * line + start,
                  static_cast<std::size_t>(std::min(piece, line - start)));
    }
  });
}

}  // namespace koila::inline v0::detail
