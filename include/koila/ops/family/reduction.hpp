#pragma once
// What reductions and other ops along one dim share: the attributes `dim` and `keepdim`, the rule.
#include <koila/expr/op.hpp>

namespace koila {

/// `dim` where none was given: all dims.
inline constexpr index_t all_dims = -1000;

/// The attributes of a reduction: sum(x), sum(x, 1_c), sum(x, dim = -1_c, keepdim = true).
struct reduction_attributes {
  static constexpr std::size_t positional = 1;
  attr<index_t> dim = all_dims;
  attr<bool> keepdim = false;

  constexpr void set(std::size_t, attr<index_t> v) { dim = v; }
  constexpr auto all() const -> bool { return dim.known && dim.value == all_dims; }
  constexpr void write(auto& w) const {
    if (all()) return;
    w.put(", dim "), dim.write(w);
  }
  friend constexpr auto operator==(const reduction_attributes&, const reduction_attributes&) -> bool = default;
};

namespace rules {

/// (..., n, ...) -> (..., ...): the reduced dim goes, or stays as 1.
constexpr auto reduce(const dims& x, const reduction_attributes& a, dtype type) -> verdict {
  if (a.all() && a.keepdim.known && !a.keepdim.value) return scalar(type);
  if (!x.ranked()) return dims(type);
  if (x.rank == 0 && (a.all() || !a.dim.known || wrap(a.dim.value, 1) == 0))
    return x.with(type);  // a scalar has a dim 0, as in LibTorch
  if (!a.all() && a.dim.known && wrap(a.dim.value, x.rank) < 0) return why::dimension_out_of_range;
  if (!a.keepdim.known) return dims(type);
  if (a.all()) {
    dims out = x.with(type);
    for (int i = 0; i < out.rank; ++i) out.e[i] = extent{1};
    return out;
  }
  if (!a.dim.known) return open_dims(x.rank - (a.keepdim.value ? 0 : 1), type);
  const int d = wrap(a.dim.value, x.rank);
  return drop(x, d, a.keepdim.value).with(type);
}

/// The one dim of an op whose result has its operand's shape.
constexpr auto along(const dims& x, const reduction_attributes& a, dtype type) -> verdict {
  if (!x.ranked() || !a.dim.known) return x.with(type);
  if (wrap(a.dim.value, x.rank == 0 ? 1 : x.rank) < 0) return why::dimension_out_of_range;
  return x.with(type);
}

}  // namespace rules

/// An op that reduces one dim or all by the monoid sum.
template <class Op>
struct summing : op<Op, 1> {
  using attributes = reduction_attributes;
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    return flows::reduction(x, a.all() ? -1 : wrap(a.dim.value, x.d.rank), a.keepdim.value, monoid::sum);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> work {
    return {static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()), detail::converted(x, out.type)};
  }
};

/// An op along one dim, its operands and its result of one shape: softmax and what belongs to it.
template <class Op, int Operands>
struct along_dim : op<Op, Operands> {
  using attributes = reduction_attributes;
  static constexpr auto takes(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations
    requires(Operands == 1)
  {
    return flows::along(&x, 1, wrap(a.dim.value, x.d.rank), out);
  }
  static constexpr auto flow(const value& x, const value& y, const dims& out, const attributes& a) -> relations
    requires(Operands == 2)
  {
    const value in[] = {x, y};
    return flows::along(in, 2, wrap(a.dim.value, x.d.rank), out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> work
    requires(Operands == 1)
  {
    return {5.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static constexpr auto cost(const dims& x, const dims& y, const dims& out) -> work
    requires(Operands == 2)
  {
    return {4.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + y.bytes() + out.bytes()), 0};
  }
};

}  // namespace koila
