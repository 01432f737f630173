// SPDX-License-Identifier: MIT
#pragma once
// Shared by reductions and other ops along one dim: the attributes `dim` and `keepdim`, and shape
// rules.
#include <koila/expr/op.hpp>

#include <limits>

namespace koila::inline v0 {

namespace detail {

/// The value of `dim` if none was given.
inline constexpr index_t all_dims = std::numeric_limits<index_t>::min();

/// A dim, or all dims if none is given. A number that the caller states never means all dims.
struct dim_or_all : attr<index_t> {
  constexpr dim_or_all() : attr(all_dims) {}
  template <class V>
    requires requires(V v) { detail::as_attr<index_t>(v); }
  constexpr dim_or_all(V v) {
    assign(v);
  }
  constexpr auto all() const -> bool { return known && value == all_dims; }
  constexpr void assign(const dim_or_all& d) { *this = d; }
  template <class V>
    requires requires(V v) { detail::as_attr<index_t>(v); }
  constexpr void assign(V v) {
    const attr<index_t> d = detail::as_attr<index_t>(v);
    value = d.value == all_dims ? all_dims + 1 : d.value;  // all_dims + 1 is out of range too
    known = d.known;
  }
  friend constexpr auto operator==(const dim_or_all&, const dim_or_all&) -> bool = default;
};

/// The attributes of a reduction, as in sum(x), sum(x, 1_c), sum(x, list_of(0_c, 2_c)) or sum(x,
/// dim = -1_c, keepdim = true).
struct reduction_attributes {
  static constexpr std::size_t positional = 1;
  attr_list dim;  ///< empty: all dims
  attr<bool> keepdim = false;

  constexpr void set(std::size_t, attr<index_t> v) { dim.assign(v); }
  template <class... V>
  constexpr void set(std::size_t, const list_of<V...>& v) {
    dim.assign(v);
  }
  constexpr void set(std::size_t, const attr_list& v) { dim.assign(v); }
  constexpr auto all() const -> bool { return dim.empty(); }
  /// The known dims that are reduced, as a bit set.
  constexpr auto bits(int rank) const -> unsigned {
    unsigned out = all() ? (1U << static_cast<unsigned>(rank)) - 1U : 0;
    for (int i = 0; i < dim.n; ++i)
      if (const int d = wrap(dim[i].value, rank); dim[i].known && d >= 0) out |= 1U << static_cast<unsigned>(d);
    return out;
  }
  constexpr void write(auto& w) const {
    if (all()) return;
    w.put(dim.n == 1 ? ", dim " : ", dims "), dim.write(w);
  }
  friend constexpr auto operator==(const reduction_attributes&, const reduction_attributes&) -> bool = default;
};

/// The attributes of an op along one dim, as in softmax(x, 1_c) or softmax(x, dim = -1_c).
struct along_attributes {
  static constexpr std::size_t positional = 1;
  dim_or_all dim;

  constexpr void set(std::size_t, attr<index_t> v) { dim.assign(v); }
  constexpr auto all() const -> bool { return dim.all(); }
  constexpr void write(auto& w) const {
    if (all()) return;
    w.put(", dim "), dim.write(w);
  }
  friend constexpr auto operator==(const along_attributes&, const along_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// (..., n, ...) -> (..., ...): the reduced dims are removed or, with keepdim, kept with extent 1.
constexpr auto reduce(const dims& x, const detail::reduction_attributes& a, dtype type) -> verdict {
  if (a.all() && a.keepdim.known && !a.keepdim.value) return scalar(type);
  if (!x.ranked()) return dims(type);
  const int rank = x.rank == 0 ? 1 : x.rank;  // a scalar has a dim 0, as in LibTorch
  unsigned seen = 0;
  for (int i = 0; i < a.dim.n; ++i) {
    if (!a.dim[i].known) continue;
    const int d = detail::wrap(a.dim[i].value, rank);
    if (d < 0) return reason::dimension_out_of_range;
    if ((seen >> static_cast<unsigned>(d) & 1U) != 0) return reason::dim_given_twice;
    seen |= 1U << static_cast<unsigned>(d);
  }
  if (a.dim.n > rank) return reason::dim_given_twice;
  if (x.rank == 0) return x.with(type);
  if (!a.keepdim.known) return dims(type);
  if (!a.dim.known()) return detail::open_dims(x.rank - (a.keepdim.value ? 0 : a.dim.n), type);
  dims out = x.with(type);
  for (int d = x.rank - 1; d >= 0; --d)
    if ((a.bits(x.rank) >> static_cast<unsigned>(d) & 1U) != 0) out = drop(out, d, a.keepdim.value);
  return out;
}

/// The number of elements that are reduced to one result. The number is unknown if one of the
/// reduced dims is unknown.
constexpr auto reduced_count(const dims& x, const detail::reduction_attributes& a) -> extent {
  extent n{1};
  for (int d = 0; d < x.rank; ++d) {
    if ((a.bits(x.rank) >> static_cast<unsigned>(d) & 1U) == 0) continue;
    if (!x.e[d].known()) return {};
    n.n *= x.e[d].n;
  }
  return n;
}

/// The rule of an op along one dim whose result has the shape of the operand.
constexpr auto along(const dims& x, const detail::along_attributes& a, dtype type) -> verdict {
  if (!x.ranked() || !a.dim.known) return x.with(type);
  if (detail::wrap(a.dim.value, x.rank == 0 ? 1 : x.rank) < 0) return reason::dimension_out_of_range;
  return x.with(type);
}

}  // namespace rules

namespace detail {

/// An op that reduces some or all dims. M combines the results of the chunks.
template <class Op, monoid M>
struct reducing : op<Op, 1> {
  using attributes = reduction_attributes;
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    return flows::reduced(x, a.bits(x.dims.rank), a.keepdim.value, M);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()),
            detail::converted(x, out.type)};
  }
};

/// An op along one dim whose operands and result have the same shape, such as softmax.
template <class Op, int Operands>
struct along_dim : op<Op, Operands> {
  using attributes = along_attributes;
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations
    requires(Operands == 1)
  {
    return flows::along(&x, 1, wrap(a.dim.value, x.dims.rank), out);
  }
  static constexpr auto flow(const value& x, const value& y, const dims& out, const attributes& a) -> relations
    requires(Operands == 2)
  {
    const value in[] = {x, y};
    return flows::along(in, 2, wrap(a.dim.value, x.dims.rank), out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost
    requires(Operands == 1)
  {
    return {5.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static constexpr auto cost(const dims& x, const dims& y, const dims& out) -> op_cost
    requires(Operands == 2)
  {
    return {4.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + y.bytes() + out.bytes()), 0};
  }
};

}  // namespace detail

}  // namespace koila::inline v0
