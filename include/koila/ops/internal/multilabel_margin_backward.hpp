// SPDX-License-Identifier: MIT
#pragma once
// multilabel_margin_backward: the gradient of multilabel_margin.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/indexing/indexing.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0 {

namespace rules {

/// (samples, classes) x int64 (samples, classes) -> (samples), or (classes) x int64 (classes) ->
/// ().
constexpr auto multilabelled(const dims& x, const dims& target) -> verdict {
  if (target.type != dtype::unknown && target.type != dtype::int64) return reason::labels_are_not_integers;
  if (!may_float(x.type)) return reason::not_a_floating_type;
  for (const dims* d : {&x, &target})
    if (d->ranked() && (d->rank < 1 || d->rank > 2)) return reason::no_rule_for_these_ranks;
  if (same_shape(x, target) == detail::tristate::no) return reason::shapes_differ;
  const dims both = merged(x, target).with(x.type);
  if (!both.ranked()) return both;
  if (both[-1].known() && both[-1].n == 0) return reason::nothing_to_reduce;
  return drop(both, both.rank - 1, false);
}

}  // namespace rules

namespace internal {

/// (samples) x (samples, classes) x int64 (samples, classes) -> (samples, classes), or () x
/// (classes) x int64 (classes) -> (classes): the gradient of multilabel_margin with respect to x.
inline constexpr struct multilabel_margin_backward : op<multilabel_margin_backward, 3> {
  static constexpr std::string_view name = "multilabel_margin_backward";
  static constexpr auto rule(const dims& dy, const dims& x, const dims& target) -> verdict {
    const verdict v = rules::multilabelled(x, target);
    if (!v.accepted()) return v;
    if (detail::accumulator_of(x.type) != x.type) return reason::no_rule_for_these_dtypes;
    if (rules::same_shape(dy, v.out) == detail::tristate::no) return reason::labels_are_not_one_per_sample;
    if (!rules::same_type(dy, x)) return reason::dtypes_differ;
    return rules::merged(x, target).with(x.type);
  }
  static constexpr auto flow(const value& dy, const value& x, const value& target, const dims& out) -> relations {
    const value in[] = {dy, x, target};
    return flows::beside(in, 3, out.rank - 1, out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  /// The workspace holds the losses, a mask in the dtype of x, and a number of type int64.
  static constexpr auto cost(const dims& dy, const dims& x, const dims& target, const dims& out) -> op_cost {
    const index_t classes = x[-1].n;
    return {4 * static_cast<double>(x.count() * classes),
            static_cast<double>(dy.bytes() + 3 * x.bytes() + 2 * target.bytes() + out.bytes()),
            x.count() == 0 ? 0 : x.bytes() + dy.bytes() + detail::bytes_of(dtype::int64)};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& target);
  /// The op is linear in dy, and constant in x between the points where a margin is met exactly.
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const auto& target) {
    const auto slope = multilabel_margin_backward{}(expand_like(1, dy), x, target);
    return gradients(sum(mul(d, slope), dim = -1_c), expand_like(0, x), no_gradient);
  }
} multilabel_margin_backward;

}  // namespace internal
}  // namespace koila::inline v0
