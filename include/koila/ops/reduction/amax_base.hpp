// SPDX-License-Identifier: MIT
#pragma once
// Shared by the reductions to a largest or smallest element.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/internal/ties.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0 {

namespace rules {

/// The rule of a reduction that is undefined for zero elements.
constexpr auto reduce_some(const dims& x, const detail::reduction_attributes& a, dtype type) -> verdict {
  const verdict v = reduce(x, a, type);
  if (v.accepted() && x.ranked() && reduced_count(x, a).n == 0) return reason::nothing_to_reduce;
  return v;
}

}  // namespace rules

namespace detail {

/// Reduces some or all dims to one of their elements, such as the largest. M combines the results
/// of the chunks. Elements that equal the result share the gradient evenly.
template <class Op, monoid M>
struct amax_op : reducing<Op, M> {
  static constexpr auto rule(const dims& x, const reduction_attributes& a) -> verdict {
    return rules::reduce_some(x, a, x.type);
  }
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& x, const reduction_attributes& a) {
    const auto back = [&](const auto& v) { return expand_like(v, x, koila::dim = a.dim, koila::keepdim = a.keepdim); };
    const auto tied = internal::ties(x, back(y));
    return gradients(mul(back(ops::div(dy, sum(tied, koila::dim = a.dim, koila::keepdim = a.keepdim))), tied));
  }
};

}  // namespace detail

}  // namespace koila::inline v0
