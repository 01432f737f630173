// SPDX-License-Identifier: MIT
#pragma once
// repeat_backward: the backward pass of repeat.
#include <koila/ops/indexing/repeats.hpp>

namespace koila::inline v0 {

struct repeat;

namespace internal {

/// (repeated...) x (...) -> (...): the sum of dy over the repetitions. Only the dims of the second
/// operand are read.
inline constexpr struct repeat_backward : op<repeat_backward, 2> {
  static constexpr std::string_view name = "repeat_backward";
  using attributes = detail::repeat_attributes;
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::repeated(x, a);
    if (!v.accepted()) return v;
    // Compares extents and ignores axis names, because a repeated dim may have the extent of the
    // batch axis without being the batch axis.
    if (dy.ranked() && v.out.ranked() && dy.rank != v.out.rank) return reason::shapes_differ;
    for (int i = 0; i < v.out.rank && i < dy.rank; ++i)
      if (dy.e[i].known() && v.out.e[i].known() && dy.e[i].n != v.out.e[i].n) return reason::shapes_differ;
    if (!rules::same_type(dy, x)) return reason::dtypes_differ;
    return x;
  }
  static constexpr auto flow(const value& dy, const value& x, const dims& out, const attributes& a) -> relations {
    const int lead = a.repeats.n - out.rank;
    relations f;
    if (x.batch_relation.sampled()) {
      f.out = x.batch_relation;
      f.operand[0] = {need::rows,
                      samples_along(x.batch_relation.axis + lead,
                                    a.repeats.e[x.batch_relation.axis + lead].value * x.batch_relation.outer,
                                    x.batch_relation.inner)};
    } else if (dy.batch_relation.sampled()) {
      const int d = dy.batch_relation.axis - lead;
      if (d < 0 || x.dims.e[d].n == 1) f.out = partial(monoid::sum);
      else if (a.repeats.e[dy.batch_relation.axis].value == 1)
        f.out = samples_along(d, dy.batch_relation.outer, dy.batch_relation.inner);
      else f.operand[0].kind = need::whole;
    }
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims&, const dims& out) -> op_cost {
    return {static_cast<double>(dy.count()), static_cast<double>(dy.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call<struct repeat>(d, a.repeats), no_gradient);
  }
} repeat_backward;

}  // namespace internal

}  // namespace koila::inline v0

#include <koila/ops/indexing/repeat.hpp>
