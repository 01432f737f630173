// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops that process each line along a dim separately, or the whole value as one line. A
// line is the vector of elements that differ only in their position along the dim.
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0 {

namespace flows {

/// If the lines lie along the batch axis, the op needs all samples of every operand at once.
/// Otherwise the result is per sample.
constexpr auto on_axis(const value* operands, int n, const detail::along_attributes& a, const dims& out) -> relations {
  for (int i = 0; i < n; ++i)
    if (operands[i].batch_relation.sampled() &&
        (a.all() || operands[i].batch_relation.axis == detail::wrap(a.dim.value, operands[i].dims.rank)))
      return gather(operands, n, out);
  return elementwise(operands, n, out);
}

}  // namespace flows

namespace detail {

/// An op along the lines of one dim. All operands and the result have the same shape. If no dim is
/// given, the whole value is one line.
template <class Op, int Operands>
struct on_axis : op<Op, Operands> {
  using attributes = along_attributes;
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict
    requires(Operands == 1)
  {
    return along(x, a);
  }
  static constexpr auto rule(const dims& v, const dims& x, const attributes& a) -> verdict
    requires(Operands == 2)
  {
    if (rules::same_shape(v, x) == tristate::no) return reason::shapes_differ;
    if (!rules::same_type(v, x)) return reason::dtypes_differ;
    return along(rules::merged(x, v), a);
  }
  static constexpr auto rule(const dims& v, const dims& dy, const dims& x, const attributes& a) -> verdict
    requires(Operands == 3)
  {
    if (rules::same_shape(v, x) == tristate::no || rules::same_shape(dy, x) == tristate::no)
      return reason::shapes_differ;
    if (!rules::same_type(v, x) || !rules::same_type(dy, x) || !rules::same_type(v, dy)) return reason::dtypes_differ;
    return along(rules::merged(rules::merged(x, dy), v), a);
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations
    requires(Operands == 1)
  {
    return flows::on_axis(&x, 1, a, out);
  }
  static constexpr auto flow(const value& v, const value& x, const dims& out, const attributes& a) -> relations
    requires(Operands == 2)
  {
    const value in[] = {v, x};
    return flows::on_axis(in, 2, a, out);
  }
  static constexpr auto flow(const value& v, const value& dy, const value& x, const dims& out, const attributes& a)
      -> relations
    requires(Operands == 3)
  {
    const value in[] = {v, dy, x};
    return flows::on_axis(in, 3, a, out);
  }
  static constexpr auto cost(const auto&... operands_and_out) -> op_cost
    requires(sizeof...(operands_and_out) == Operands + 1 &&
             (std::is_same_v<decltype(operands_and_out), const dims&> && ...))
  {
    return {3.0 * (static_cast<double>(operands_and_out.count()) + ...),
            (static_cast<double>(operands_and_out.bytes()) + ...), 0};
  }

 private:
  static constexpr auto along(const dims& x, const attributes& a) -> verdict {
    if (!rules::may_float(x.type)) return reason::not_a_floating_type;
    return a.all() ? verdict(x.with(x.type)) : rules::along(x, a, x.type);
  }
};

}  // namespace detail

}  // namespace koila::inline v0
