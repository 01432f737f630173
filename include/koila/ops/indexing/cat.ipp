// SPDX-License-Identifier: MIT
#pragma once
// Definitions of cat.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/cat.hpp>

namespace koila::inline v0 {

namespace detail {

/// Where an operand lies in the result of a concatenation: in `line_count` lines of `line` bytes
/// each. The first line starts at `to`, and each line starts `step` bytes after the line before.
struct strided_lines {
  char* to;
  index_t step, line, line_count;
};

/// Calls copy(operand, first, lines, has_same_bytes) for each operand of a concatenation. `first`
/// is the position of the operand's first element along `dim` of the result, `lines` states where
/// the operand lies in the result, and `has_same_bytes` is true if its bytes can be copied
/// unchanged. Operands that were computed in place (see plan/concat_in_place.hpp) are skipped.
template <class F>
void for_each_to_join(const at::Tensor& y, const at::Tensor* const* x, int n, std::int64_t dim, const F& copy) {
  if (y.numel() == 0) return;
  const auto lines = c10::multiply_integers(y.sizes().slice(0, static_cast<std::size_t>(dim)));
  const index_t step = y.numel() / lines * y.element_size(), one = step / y.size(dim);  // bytes
  char* to = static_cast<char*>(y.mutable_data_ptr());
  for (std::int64_t k = 0, first = 0; k < n; ++k) {
    const at::Tensor& part = *x[k];
    const index_t length = part.size(dim);
    const bool has_same_bytes = part.scalar_type() == y.scalar_type() && part.is_contiguous() && y.is_contiguous();
    if (!(has_same_bytes && part.const_data_ptr() == to))
      copy(part, first, strided_lines{to, step, length * one, lines}, has_same_bytes);
    first += length;
    to += length * one;
  }
}

}  // namespace detail

void cat::join(at::Tensor& y, const at::Tensor* const* x, int n, const attributes& a) {
  const std::int64_t dim = detail::wrap(a.dim.value, static_cast<int>(y.dim()));
  detail::for_each_to_join(y, x, n, dim,
                           [&](const at::Tensor& part, index_t first, const detail::strided_lines&, bool) {
                             y.narrow(dim, first, part.size(dim)).copy_(part);
                           });
}

}  // namespace koila::inline v0
