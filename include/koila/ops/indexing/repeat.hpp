// SPDX-License-Identifier: MIT
#pragma once
// repeat: repeats a value along each dim.
#include <koila/ops/internal/repeat_backward.hpp>
#include <koila/ops/pointwise/precision.hpp>

namespace koila::inline v0 {

/// (n, m) -> (r * n, s * m): repeats x along each dim, as in repeat(x, r, s) or repeat(x,
/// list_of(r, s)). Additional counts in front add new dims. If the batch axis is repeated r times,
/// the result is still per sample, with r rows for each sample.
inline constexpr struct repeat : author::op<repeat, 1> {
  static constexpr std::string_view name = "repeat";
  using attributes = detail::repeat_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::repeated(x, a); }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    relations f;
    const int axis = x.batch_relation.axis + out.rank - x.dims.rank;
    if (x.batch_relation.sampled() && a.repeats.e[axis].value == 0) f.operand[0].kind = need::whole;
    else if (x.batch_relation.sampled())
      f.out = samples_along(axis, a.repeats.e[axis].value * x.batch_relation.outer, x.batch_relation.inner);
    return f;
  }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool {
    bool same = x.rank == a.repeats.n;
    for (int i = 0; i < a.repeats.n; ++i) same = same && a.repeats.e[i].value == 1;
    return same;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {0, static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::rounded_once(dims_of(x).type, [&] {
      return internal::repeat_backward(detail::wide_operand(dy), detail::wide_operand(x), a.repeats);
    }));
  }
} repeat;

}  // namespace koila::inline v0
