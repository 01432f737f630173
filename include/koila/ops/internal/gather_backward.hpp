// SPDX-License-Identifier: MIT
#pragma once
// gather_backward: the gradient of gather.
#include <koila/ops/indexing/indexing.hpp>

namespace koila::inline v0 {

struct gather;

namespace internal {

/// (..., m, ...) x (..., n, ...) x int64 (..., m, ...) -> (..., n, ...): adds each element of dy to
/// the element of the result that its index selects. Elements with equal indices are added in
/// order. Only the dims of the second operand are read.
inline constexpr struct gather_backward : op<gather_backward, 3> {
  static constexpr std::string_view name = "gather_backward";
  using attributes = detail::dim_attribute;
  static constexpr unsigned shape_only = 0b010;
  static constexpr auto rule(const dims& dy, const dims& x, const dims& index, const attributes& a) -> verdict {
    const verdict v = rules::gathered(x, index, a);
    if (!v.accepted()) return v;
    if (rules::same_shape(dy, v.out) == detail::tristate::no) return reason::shapes_differ;
    if (dy.type != dtype::unknown && x.type != dtype::unknown && dy.type != x.type) return reason::dtypes_differ;
    return x;
  }
  static constexpr auto flow(const value& dy, const value& x, const value& index, const dims& out, const attributes& a)
      -> relations {
    const int d = detail::wrap(a.dim.value, out.rank);
    const value in[] = {dy, x, index};
    for (const value* v : {&index, &dy}) {
      if (!v->batch_relation.sampled() || v->batch_relation.axis != d ||
          (x.batch_relation.sampled() && x.batch_relation.axis != d))
        continue;
      relations f;  // a sum over samples, because every sample may add to any element
      f.out = partial(monoid::sum);
      f.operand[0] = f.operand[2] = {need::rows, v->batch_relation};
      return f;
    }
    return flows::beside(in, 3, d, out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims&, const dims& index, const dims& out) -> op_cost {
    return detail::with_float32_sums(
        {static_cast<double>(dy.count()), static_cast<double>(dy.bytes() + index.bytes() + out.bytes())}, out);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& index,
                       const attributes& a);
  static void accumulate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& index,
                         const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto&, const auto& index,
                                 const attributes& a) {
    return gradients(detail::call<struct gather>(d, index, koila::dim = a.dim), no_gradient, no_gradient);
  }
} gather_backward;

}  // namespace internal

}  // namespace koila::inline v0

#include <koila/ops/indexing/gather.hpp>
