// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops that choose elements by an index.
#include <koila/ops/indexing/slices.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attributes of index_select. If `from_end` is true, negative indices count from the end, as
/// in the op `index`.
struct index_select_attributes : dim_attribute {
  attr<bool> from_end = false;
  friend constexpr auto operator==(const index_select_attributes&, const index_select_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// Returns true if the dtype of an index is int64 or not known.
constexpr auto indexes(const dims& index) -> bool { return index.type == dtype::unknown || index.type == dtype::int64; }

/// (..., n, ...) x int64 (..., m, ...) -> (..., m, ...). Along each dim except `dim`, the extent of
/// the index must not be larger than the extent of x.
constexpr auto gathered(const dims& x, const dims& index, const detail::dim_attribute& a) -> verdict {
  if (!indexes(index)) return reason::index_is_not_integers;
  if (x.rank == 0 || index.rank == 0) return reason::no_rule_for_these_ranks;
  if (!x.ranked() || !index.ranked()) return index.with(x.type);
  if (x.rank != index.rank) return reason::no_rule_for_these_ranks;
  if (!a.dim.known) return index.with(x.type);
  const int d = detail::wrap(a.dim.value, x.rank);
  if (d < 0) return reason::dimension_out_of_range;
  for (int i = 0; i < x.rank; ++i) {
    if (i == d) continue;
    const bool smaller = x.e[i].known() && index.e[i].known() && !x.e[i].named() && index.e[i].n <= x.e[i].n;
    if (!smaller && detail::compare_extents(x.e[i], index.e[i]) == detail::tristate::no) return reason::shapes_differ;
  }
  return index.with(x.type);
}

}  // namespace rules

namespace flows {

/// The flow of an op whose operands correspond element by element along all dims except `d`. The
/// op is per sample if the batch axis is not `d` and all operands have the same extent along the
/// batch axis. Otherwise all operands are gathered.
constexpr auto beside(const value* operands, int n, int d, const dims& out) -> relations {
  for (int k = 0; k < n; ++k) {
    const batch_relation& r = operands[k].batch_relation;
    if (!r.sampled() || r.axis == d) continue;
    relations f;
    f.out = samples_along(r.axis, r.outer, r.inner);
    bool agree = true;
    for (int i = 0; i < n; ++i) {
      if (operands[i].dims.rank == 0) continue;
      f.operand[i] = {need::rows, f.out};
      agree = agree && operands[i].dims.e[r.axis].n == operands[k].dims.e[r.axis].n;
    }
    if (agree) return f;
  }
  return gather(operands, n, out);
}

}  // namespace flows
}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file;
// see op.hpp.
#line 1 "koila's op"
namespace koila::inline v0::detail {
/// True if a call has LibTorch's order, in which the dim comes second.
template <class Op, int Operands, class... Ts>
inline constexpr bool dim_between = false;
template <class Op, int Operands, class X, Attribute D, class... Is>
  requires(sizeof...(Is) == Operands - 1)
inline constexpr bool dim_between<Op, Operands, X, D, Is...> =
    (Expression<X> && ... && Expression<Is>) || accepts_call<Op, X, Is..., named<struct dim, D>>;

/// An op on a value, an index and, in some ops, a source. The call has LibTorch's order, gather(x,
/// dim, index), or names the dim, gather(x, index, dim = d).
template <class Op, int Operands>
struct indexing : op<Op, Operands> {
  using op<Op, Operands>::operator();
  using attributes = dim_attribute;
  template <class... Ts>
  static constexpr bool takes_form = detail::dim_between<Op, Operands, Ts...>;

  template <class X, Attribute D, class... Is>
    requires(sizeof...(Is) == Operands - 1 &&
             detail::accepts_call<Op, std::remove_cvref_t<X>, std::remove_cvref_t<Is>..., named<struct dim, D>>)
  constexpr auto operator()(X&& x, D d, Is&&... indices) const {
    return Op{}(std::forward<X>(x), std::forward<Is>(indices)..., koila::dim = d);
  }
  template <class S, Attribute D, class... I,
            reason Reason = verdict_of<Op, S, I..., named<struct dim, D>>::value.reason,
            text Message = verdict_of<Op, S, I..., named<struct dim, D>>::sentence()>
    requires(sizeof...(I) == Operands - 1 && Reason != reason::accepted)
  auto operator()(const shaped<S>&, const D&, const shaped<I>&...) const -> refused = delete;
};

}  // namespace koila::inline v0::detail
