#pragma once
// Shape rules that several ops share.
#include <koila/shape/verdict.hpp>

namespace koila::rules {

/// Broadcasting of two shapes, aligned at the last dim; the result's dtype is `type`.
constexpr auto broadcast(const dims& a, const dims& b, dtype type) -> verdict {
  if (!a.ranked() || !b.ranked()) return dims(type);
  dims out = open_dims(a.rank > b.rank ? a.rank : b.rank, type);
  for (int i = -1; i >= -out.rank; --i) {
    if (-i > a.rank || -i > b.rank) {
      out[i] = -i > a.rank ? b[i] : a[i];
      continue;
    }
    const extent x = a[i], y = b[i];
    if (x.is_one() || y.is_one()) out[i] = x.is_one() ? y : x;
    else if (same(x, y) == tristate::no) return why::not_broadcastable;
    else out[i] = either(x, y);
  }
  return out;
}

constexpr auto broadcast(const dims& a, const dims& b) -> verdict { return broadcast(a, b, result_type(a, b)); }
constexpr auto broadcast(const dims& a, const dims& b, const dims& c, dtype type) -> verdict {
  const verdict both = broadcast(a, b, type);
  return both.accepted() ? broadcast(both.out, c, type) : both;
}

/// The float that an operation such as exp or division makes of integers.
constexpr auto floating(dtype t) -> dtype { return t == dtype::unknown || is_floating(t) ? t : dtype::float32; }

/// Are all extents of two shapes possibly the same?
constexpr auto same_shape(const dims& a, const dims& b) -> tristate {
  if (!a.ranked() || !b.ranked()) return tristate::maybe;
  if (a.rank != b.rank) return tristate::no;
  tristate all = tristate::yes;
  for (int i = 0; i < a.rank; ++i) {
    const tristate one = same(a.e[i], b.e[i]);
    if (one == tristate::no) return tristate::no;
    if (one == tristate::maybe) all = tristate::maybe;
  }
  return all;
}

/// May a value of one shape be repeated to another, its dims of extent 1 and those in front of it?
constexpr auto broadcasts_to(const dims& from, const dims& to) -> bool {
  if (!from.ranked() || !to.ranked()) return true;
  if (from.rank > to.rank) return false;
  for (int i = -1; i >= -from.rank; --i)
    if (!from[i].is_one() && same(from[i], to[i]) == tristate::no) return false;
  return true;
}

/// Are the dtypes of two values possibly the same?
constexpr auto same_type(const dims& a, const dims& b) -> bool {
  return a.type == dtype::unknown || b.type == dtype::unknown || a.type == b.type;
}

/// Is a dtype possibly a floating-point one?
constexpr auto may_float(dtype t) -> bool { return t == dtype::unknown || is_floating(t); }

/// The product of two extents or attributes; -1 where it is larger than any tensor.
constexpr auto times(index_t a, index_t b) -> index_t { return a > 0 && b > most_elements / a ? -1 : a * b; }

/// The pull-back of a function of each element, whose slopes are floating-point numbers of dy's own
/// dtype. Broadcast.
constexpr auto slopes(const dims& dy, const dims& x) -> verdict {
  if (!may_float(dy.type) && !dy.number) return why::not_a_floating_type;
  if (!may_float(x.type) && !x.number) return why::not_a_floating_type;
  if (dy.number && x.number) return why::no_rule_for_these_dtypes;
  if (!dy.number && !x.number && !same_type(dy, x)) return why::dtypes_differ;
  const bool of_x = dy.number || (dy.type == dtype::unknown && !x.number);
  return broadcast(dy, x, of_x ? x.type : dy.type);
}

/// What the two shapes say together, they being the same.
constexpr auto merged(const dims& a, const dims& b) -> dims {
  if (!a.ranked() || !b.ranked()) return a.ranked() ? a : b.with(a.type == dtype::unknown ? b.type : a.type);
  dims out = a;
  for (int i = 0; i < a.rank; ++i) out.e[i] = either(a.e[i], b.e[i]);
  if (out.type == dtype::unknown) out.type = b.type;
  return out;
}

/// `x` without dim `d` (already wrapped), or with extent 1 there.
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

/// A shape whose element type must be the declared one and whose extents must be possible.
constexpr auto declared(const dims& want, const dims& got) -> verdict {
  if (same_shape(want, got) == tristate::no) return why::declared_shape_differs;
  if (want.type != dtype::unknown && got.type != dtype::unknown && want.type != got.type)
    return why::declared_dtype_differs;
  return want;
}

}  // namespace koila::rules
