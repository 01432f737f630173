#pragma once
// What the reductions to a largest or smallest element share.
#include <koila/ops/div.hpp>
#include <koila/ops/expand_like.hpp>
#include <koila/ops/mul.hpp>
#include <koila/ops/sum.hpp>
#include <koila/ops/ties.hpp>

namespace koila {

namespace rules {

/// What has no value for no elements.
constexpr auto reduce_some(const dims& x, const reduction_attributes& a, dtype type) -> verdict {
  const verdict v = reduce(x, a, type);
  if (v.accepted() && x.ranked() && reduced_count(x, a).n == 0) return why::nothing_to_reduce;
  return v;
}

}  // namespace rules

/// An op that reduces some dims or all to an extreme by the monoid M. The gradient is shared evenly
/// among ties.
template <class Op, monoid M>
struct extreme : reducing<Op, M> {
  static constexpr auto rule(const dims& x, const reduction_attributes& a) -> verdict {
    return rules::reduce_some(x, a, x.type);
  }
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& x, const reduction_attributes& a) {
    const auto back = [&](const auto& v) { return expand_like(v, x, koila::dim = a.dim, koila::keepdim = a.keepdim); };
    const auto tied = ties(x, back(y));
    return gradients(mul(back(ops::div(dy, sum(tied, koila::dim = a.dim, koila::keepdim = a.keepdim))), tied));
  }
};

}  // namespace koila
