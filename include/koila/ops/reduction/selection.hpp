// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops that find elements along a dim. Some of these ops return the indices of the
// elements, others return their values.
#include <koila/ops/indexing/gather.hpp>
#include <koila/ops/indexing/squeeze.hpp>
#include <koila/ops/reduction/amax_base.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attributes of a reduction over one dim or all dims, but not over a list of dims, as in
/// argmax(x) or argmax(x, -1_c, keepdim = true).
struct selection_attributes {
  static constexpr std::size_t positional = 1;
  dim_or_all dim;
  attr<bool> keepdim = false;

  constexpr void set(std::size_t, attr<index_t> v) { dim.assign(v); }
  constexpr auto all() const -> bool { return dim.all(); }
  constexpr void write(auto& w) const {
    if (all()) return;
    w.put(", dim "), dim.write(w);
  }
  /// Converts these attributes to the attributes of a reduction.
  constexpr auto reduction() const -> reduction_attributes {
    reduction_attributes a;
    if (!all()) a.dim.assign(dim);
    a.keepdim = keepdim;
    return a;
  }
  friend constexpr auto operator==(const selection_attributes&, const selection_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// (..., n, ...) -> int64 (..., ...): the positions of the largest or smallest elements.
constexpr auto selected(const dims& x, const detail::selection_attributes& a, dtype type) -> verdict {
  if (x.type == dtype::boolean) return reason::no_rule_for_booleans;
  return reduce_some(x, a.reduction(), type);
}

}  // namespace rules

namespace flows {

/// The flow of an op that compares all elements along one dim, or all elements of x (dim < 0). If
/// the op compares elements of different samples, the op needs all samples at once. Otherwise the
/// result is per sample.
constexpr auto whole_dim(const value& x, int dim, bool keep, const dims& out) -> relations {
  if (x.batch_relation.sampled() && (dim < 0 || dim == x.batch_relation.axis)) return gather(&x, 1, out);
  return reduction(x, dim, keep, monoid::none);
}

}  // namespace flows

namespace detail {

/// An op that returns the position of an element along a dim, or in the whole value.
template <class Op>
struct selecting : op<Op, 1> {
  using attributes = selection_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::selected(x, a, int64); }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::whole_dim(x, a.all() ? -1 : wrap(a.dim.value, x.dims.rank), a.keepdim.value, out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
};

/// An op that returns the elements at the positions that the op `Where` finds along one dim. Only
/// these elements have a gradient.
template <class Op, class Where>
struct selected_values : op<Op, 1> {
  using attributes = selection_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.all()) return reason::no_dim_given;
    return rules::selected(x, a, x.type);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    if (dims_of(x).rank == 0) return x;
    const auto y = gather(x, Where{}(x, koila::dim = a.dim, koila::keepdim = true), koila::dim = a.dim);
    return a.keepdim.value ? y : squeeze(y, koila::dim = a.dim);
  }
};

/// An op that returns the positions of the elements of selected_values.
template <class Op, class Where>
struct selected_indices : op<Op, 1> {
  using attributes = selection_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.all()) return reason::no_dim_given;
    return rules::selected(x, a, int64);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const auto y = Where{}(x, koila::dim = a.dim, koila::keepdim = true);
    return a.keepdim.value || dims_of(x).rank == 0 ? y : squeeze(y, koila::dim = a.dim);
  }
};

}  // namespace detail

}  // namespace koila::inline v0
