// SPDX-License-Identifier: MIT
#pragma once
// reshape: the same elements in another shape.
#include <koila/expr/op.hpp>

namespace koila::inline v0 {

namespace rules {

/// The sizes given to reshape. The sizes are numbers, axes, and at most one -1, which is
/// inferred.
struct sizes {
  extent e[dims::capacity]{};
  int rank = 0;
  int inferred = -1;
  bool two_inferred = false, negative = false, too_many = false;

  constexpr void put(const extent& x) {
    too_many = too_many || rank == dims::capacity;
    if (!too_many) e[rank++] = x;
  }
  constexpr void put(attr<index_t> v) {
    if (v.known && v.value == -1) {
      two_inferred = inferred >= 0;
      inferred = rank;
    }
    negative = negative || (v.known && v.value < -1);
    put(extent{v.known ? v.value : -1, {}, !v.known});
  }
  template <class... V>
    requires(sizeof...(V) <= dims::capacity)
  constexpr void put(const list_of<V...>& l) {
    const auto one = [this]<class T>(const T& v) {
      if constexpr (Axis<T>) put(extent{-1, axis_name<typename T::axis_type>});
      else put(detail::as_attr<index_t>(v));
    };
    std::apply([&](const auto&... v) { (one(v), ...); }, l.values);
  }
  /// Returns these sizes. If several extents are missing, the extents of the axes that x lacks are
  /// filled in from `extents`. A single missing extent is not filled in, because this extent
  /// follows from the number of elements.
  constexpr auto as_bound(const auto& extents, const dims& x) const -> sizes {
    sizes out = *this;
    int lacking = inferred >= 0 ? 1 : 0;
    for (int i = 0; i < rank; ++i) {
      bool has = !e[i].named() || e[i].known();
      for (int k = 0; k < x.rank; ++k) has = has || x.e[k].axis == e[i].axis;
      if (has) continue;
      ++lacking;
      out.e[i].n = extents.find(e[i].axis);
    }
    return lacking > 1 ? out : *this;
  }
  friend constexpr auto operator==(const sizes& a, const sizes& b) -> bool {
    return a.rank == b.rank && a.inferred == b.inferred && a.two_inferred == b.two_inferred &&
           a.negative == b.negative && a.too_many == b.too_many && detail::same_first(a.rank, a.e, b.e);
  }
};

/// The rule of reshape. Axes that occur both in x and in the sizes cancel. If all remaining extents
/// are known, the product of those of x must equal the product of the remaining sizes. An axis that
/// x lacks, such as the batch after reshape(x, -1, 4), gets the extent that follows from the number
/// of elements.
constexpr auto reshape(const dims& x, const sizes& s) -> verdict {
  if (s.too_many) return reason::too_many_dimensions;
  if (s.two_inferred) return reason::one_size_at_most_may_be_inferred;
  if (s.negative) return reason::element_counts_differ;
  dims out = detail::open_dims(s.rank, x.type);
  for (int i = 0; i < s.rank; ++i) out.e[i] = s.e[i];
  if (!x.ranked()) return out;
  bool cancelled[dims::capacity] = {};
  index_t have = 1, want = 1;
  bool sure = true, axis_left = false;
  int new_axis = -1, new_axes = 0;
  for (int i = 0; i < s.rank; ++i) {
    if (i == s.inferred) continue;
    int match = -1;
    for (int k = 0; k < x.rank && s.e[i].named(); ++k)
      if (!cancelled[k] && x.e[k].axis == s.e[i].axis) match = match < 0 ? k : match;
    if (match >= 0) {
      cancelled[match] = true;
      out.e[i] = x.e[match];
    } else if (s.e[i].known()) {
      if (want = times(want, s.e[i].n); want < 0) return reason::size_out_of_range;
    } else if (s.e[i].named()) {
      new_axis = i;
      ++new_axes;
    } else {
      sure = false;
    }
  }
  for (int k = 0; k < x.rank; ++k) {
    if (cancelled[k]) continue;
    axis_left = axis_left || (x.e[k].named() && !x.e[k].known());
    if (x.e[k].known()) have *= x.e[k].n;
    else sure = false;
  }
  if (new_axes > 0 && sure) {
    if (new_axes + (s.inferred >= 0 ? 1 : 0) > 1) return reason::one_size_at_most_may_be_inferred;
    if (want == 0 || have % want != 0) return reason::element_counts_differ;
    out.e[new_axis].n = have / want;
    want = have;
  }
  sure = sure && (new_axes == 0 || out.e[new_axis].known());
  if (s.inferred >= 0) {
    if (sure && (want == 0 || have % want != 0)) return reason::element_counts_differ;
    out.e[s.inferred] = sure ? extent{have / want, {}, true} : extent{-1, {}, true};
    return out;
  }
  if (sure && have != want) return reason::element_counts_differ;
  bool all_numbers = true;
  for (int i = 0; i < s.rank; ++i) all_numbers = all_numbers && (s.e[i].known() || out.e[i].named());
  if (axis_left && all_numbers) return reason::element_counts_differ;  // a number cannot replace an axis
  if (sure && x.known())  // numbers may have replaced open extents, so the result is open
    for (int i = 0; i < s.rank; ++i) out.e[i].open = out.e[i].open || !out.e[i].named();
  return out;
}

}  // namespace rules

/// (...) -> (sizes...): the elements of x in the given shape, as in reshape(x, batch, 784_c) or
/// reshape(x, list_of(-1_c, 10_c)). Returns a view if x is contiguous, else a copy.
inline constexpr struct reshape : author::op<reshape, 1> {
  static constexpr std::string_view name = "reshape";
  struct attributes {
    static constexpr std::size_t positional = dims::capacity;
    rules::sizes to;
    template <class V>
      requires requires(rules::sizes& s, const V& v) { s.put(v); }
    constexpr void set(std::size_t, const V& v) {
      to.put(v);
    }
    constexpr auto as_bound(const auto& extents, const dims& x) const -> attributes {
      return {to.as_bound(extents, x)};
    }
    constexpr void write(auto& w) const {
      dims d = detail::open_dims(to.rank);
      for (int i = 0; i < to.rank; ++i) d.e[i] = to.e[i];
      w.put(" to ");
      w.put(d);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr bool pushes_gather = true;

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::reshape(x, a.to); }
  static constexpr auto flow(const value& x, const dims& out, const attributes&) -> relations {
    return flows::reshape(x, out);
  }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool {
    const dims out = rules::reshape(x, a.to).out;
    return rules::same_shape(x, out) == detail::tristate::yes;
  }
  static constexpr auto view_layout(layout, const dims&, const attributes&) -> layout { return layout::dense; }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes&);
} reshape;

namespace detail {

/// Reshapes `x` to sizes that are known when the graph is built, for gradients and expansions.
constexpr auto reshape_to(const Expression auto& x, const dims& to) {
  attributes_t<struct reshape> a;
  for (int i = 0; i < to.rank; ++i) a.to.put(to.e[i]);
  return call_with<struct reshape>(a, x);
}

}  // namespace detail

/// (...) x (...) -> (...): reshape_like(x, other) is x in the shape of `other`. Only the dims of
/// `other` are read. This op is the gradient of reshape.
inline constexpr struct reshape_like : author::op<reshape_like> {
  static constexpr std::string_view name = "reshape_like";
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto rule(const dims& x, const dims& like) -> verdict {
    if (x.known() && like.known() && x.count() != like.count()) return reason::element_counts_differ;
    return like.with(x.type);
  }
  static constexpr auto flow(const value& x, const value& like, const dims& out) -> relations {
    relations f;
    if (!like.batch_relation.sampled()) {
      f.operand[0].kind = need::whole;
      return f;
    }
    // Maps the batch axis back from its dim in `like` to its dim in the shape of x.
    const relations there = flows::reshape({out, like.batch_relation}, x.dims);
    if (there.out.sampled()) {
      f.out = like.batch_relation;
      f.operand[0] = {need::rows, there.out};
      return f;
    }
    return flows::gather(&x, 1, out);
  }
  static constexpr auto is_noop(const dims& x, const dims& like) -> bool {
    return rules::same_shape(x, like) == detail::tristate::yes;
  }
  static constexpr auto view_layout(layout, const dims&, const detail::no_attributes&) -> layout {
    return layout::dense;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const detail::no_attributes&);
  static constexpr auto gradient(const auto& d, const auto&, const auto& x, const auto&) {
    return gradients(reshape_like{}(d, x), no_gradient);
  }
} reshape_like;

constexpr auto reshape::gradient(const auto& dy, const auto&, const auto& x, const attributes&) {
  return gradients(reshape_like(dy, x));
}

}  // namespace koila::inline v0
