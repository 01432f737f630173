// SPDX-License-Identifier: MIT
#pragma once
// Shape rules that several ops share.
#include <koila/shape/verdict.hpp>

namespace koila::inline v0::rules {

/// Broadcasts two shapes, aligned at the last dim. The result's dtype is `type`.
constexpr auto broadcast(const dims& a, const dims& b, dtype type) -> verdict {
  if (!a.ranked() || !b.ranked()) return dims(type);
  dims out = detail::open_dims(a.rank > b.rank ? a.rank : b.rank, type);
  for (int i = -1; i >= -out.rank; --i) {
    if (-i > a.rank || -i > b.rank) {
      out[i] = -i > a.rank ? b[i] : a[i];
      continue;
    }
    const extent x = a[i], y = b[i];
    if (x.is_one() || y.is_one()) out[i] = x.is_one() ? y : x;
    else if (detail::compare_extents(x, y) == detail::tristate::no) return reason::not_broadcastable;
    else out[i] = detail::either(x, y);
  }
  return out;
}

constexpr auto broadcast(const dims& a, const dims& b) -> verdict { return broadcast(a, b, result_type(a, b)); }
constexpr auto broadcast(const dims& a, const dims& b, const dims& c, dtype type) -> verdict {
  const verdict both = broadcast(a, b, type);
  return both.accepted() ? broadcast(both.out, c, type) : both;
}

/// Result dtype of an operation such as exp or division, which converts integers to float32.
constexpr auto floating(dtype t) -> dtype { return t == dtype::unknown || is_floating(t) ? t : dtype::float32; }

/// Returns yes or no if the known extents decide whether two shapes are equal, else maybe.
constexpr auto same_shape(const dims& a, const dims& b) -> detail::tristate {
  if (!a.ranked() || !b.ranked()) return detail::tristate::maybe;
  if (a.rank != b.rank) return detail::tristate::no;
  detail::tristate all = detail::tristate::yes;
  for (int i = 0; i < a.rank; ++i) {
    const detail::tristate one = detail::compare_extents(a.e[i], b.e[i]);
    if (one == detail::tristate::no) return detail::tristate::no;
    if (one == detail::tristate::maybe) all = detail::tristate::maybe;
  }
  return all;
}

/// Returns true if `from` may broadcast to `to`, by repeating dims of extent 1 and by adding dims
/// in front. Unknown ranks and extents count as matching.
constexpr auto broadcasts_to(const dims& from, const dims& to) -> bool {
  if (!from.ranked() || !to.ranked()) return true;
  if (from.rank > to.rank) return false;
  for (int i = -1; i >= -from.rank; --i)
    if (!from[i].is_one() && detail::compare_extents(from[i], to[i]) == detail::tristate::no) return false;
  return true;
}

/// Returns true if both dtypes are equal or one of them is unknown.
constexpr auto same_type(const dims& a, const dims& b) -> bool {
  return a.type == dtype::unknown || b.type == dtype::unknown || a.type == b.type;
}

/// Returns true if the dtype is floating-point or unknown.
constexpr auto may_float(dtype t) -> bool { return t == dtype::unknown || is_floating(t); }

/// Product of two extents or attributes, or -1 if it exceeds `most_elements`.
constexpr auto times(index_t a, index_t b) -> index_t { return a > 0 && b > detail::most_elements / a ? -1 : a * b; }

/// Rule for the backward op of an element-wise function. dy and x broadcast. Unless one of them is
/// a C++ number, both must have the same floating-point dtype. The op computes in this dtype.
constexpr auto slopes(const dims& dy, const dims& x) -> verdict {
  if (!may_float(dy.type) && !dy.number) return reason::not_a_floating_type;
  if (!may_float(x.type) && !x.number) return reason::not_a_floating_type;
  if (dy.number && x.number) return reason::no_rule_for_these_dtypes;
  if (!dy.number && !x.number && !same_type(dy, x)) return reason::dtypes_differ;
  const bool of_x = dy.number || (dy.type == dtype::unknown && !x.number);
  return broadcast(dy, x, of_x ? x.type : dy.type);
}

/// Merges two equal shapes. Each extent, and the dtype, comes from the shape in which it is known.
constexpr auto merged(const dims& a, const dims& b) -> dims {
  if (!a.ranked() || !b.ranked()) return a.ranked() ? a : b.with(a.type == dtype::unknown ? b.type : a.type);
  dims out = a;
  for (int i = 0; i < a.rank; ++i) out.e[i] = detail::either(a.e[i], b.e[i]);
  if (out.type == dtype::unknown) out.type = b.type;
  return out;
}

/// Returns `x` without dim `d` (already wrapped). If `keep` is true, the dim stays, with extent 1.
constexpr auto drop(const dims& x, int d, bool keep) -> dims {
  dims out = x;
  if (keep) {
    out.e[d] = extent{1};
    return out;
  }
  for (int i = d; i + 1 < x.rank; ++i) out.e[i] = x.e[i + 1];
  --out.rank;
  return out;
}

/// Checks the shape `got` against the declared shape `want`, and returns `want`. Extents and dtype
/// of `got` may be unknown, but must not contradict `want`.
constexpr auto declared(const dims& want, const dims& got) -> verdict {
  if (same_shape(want, got) == detail::tristate::no) return reason::declared_shape_differs;
  if (want.type != dtype::unknown && got.type != dtype::unknown && want.type != got.type)
    return reason::declared_dtype_differs;
  return want;
}

}  // namespace koila::inline v0::rules
