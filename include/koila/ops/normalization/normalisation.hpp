// SPDX-License-Identifier: MIT
#pragma once
// Shared by the normalisations: mean and variance over some dims, and per-channel values.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/moments.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/rsqrt.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/reduction/mean.hpp>

namespace koila::inline v0 {

namespace rules {

/// Checks that the last dims of x equal the dims of the weight, and `sizes` if sizes are given.
constexpr auto normalised(const dims& x, const attr_list& sizes) -> verdict {
  if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
  if (!x.ranked()) return x.with(x.type);
  if (sizes.n > x.rank) return reason::normalized_shape_differs;
  for (int i = 0; i < sizes.n; ++i)
    if (const extent& e = x.e[x.rank - sizes.n + i]; sizes.e[i].known && e.known() && e.n != sizes.e[i].value)
      return reason::normalized_shape_differs;
  return x.with(x.type);
}
constexpr auto normalised(const dims& x, const dims& w, const attr_list& sizes) -> verdict {
  if (const verdict v = normalised(x, sizes); !v.accepted()) return v;
  if (x.type != dtype::unknown && w.type != dtype::unknown && x.type != w.type) return reason::dtypes_differ;
  if (!w.ranked()) return x.with(x.type);
  if (w.rank == 0) return reason::no_rule_for_these_ranks;
  if (!sizes.empty() && sizes.n != w.rank) return reason::normalized_shape_differs;
  if (!x.ranked()) return x.with(x.type);
  if (w.rank > x.rank) return reason::normalized_shape_differs;
  dims out = x.with(x.type);
  for (int i = 1; i <= w.rank; ++i) {
    if (detail::compare_extents(x[-i], w[-i]) == detail::tristate::no) return reason::normalized_shape_differs;
    out[-i] = detail::either(x[-i], w[-i]);
  }
  return out;
}

/// Checks a weight, a bias or a statistic, which must have one element for each channel (dim 1 of
/// x) or be a C++ number for all channels.
constexpr auto per_channel(const dims& x, const dims& w) -> reason {
  if (w.number) return reason::accepted;
  if (x.type != dtype::unknown && w.type != dtype::unknown && x.type != w.type) return reason::dtypes_differ;
  if (w.ranked() && (w.rank != 1 || (x.ranked() && detail::compare_extents(x[1], w[0]) == detail::tristate::no)))
    return reason::weight_is_not_per_channel;
  return reason::accepted;
}

/// The rule of x (n, c, ...) with any number of per-channel values.
template <class... D>
constexpr auto channelled(const dims& x, const D&... per) -> verdict {
  if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
  if (x.ranked() && x.rank < 2) return reason::no_rule_for_these_ranks;
  reason r = reason::accepted;
  ((r = r == reason::accepted ? per_channel(x, per) : r), ...);
  if (r != reason::accepted) return r;
  return x.with(x.type);
}

}  // namespace rules

namespace detail {

/// Returns the dims in [first, last) as a bit set.
constexpr auto dims_between(int first, int last) -> unsigned {
  unsigned set = 0;
  for (int d = first; d < last; ++d) set |= 1U << static_cast<unsigned>(d);
  return set;
}

constexpr auto list_of_dims(unsigned over) -> attr_list {
  attr_list which;
  for (int d = 0; d < dims::capacity; ++d)
    if ((over >> static_cast<unsigned>(d) & 1U) != 0) which.e[which.n++] = d;
  return which;
}
/// Returns the mean over some dims, which are kept with extent 1.
template <class X>
constexpr auto mean_over(const X& x, unsigned over) -> X {
  return over == 0 ? x : mean(x, koila::dim = list_of_dims(over), keepdim = true);
}

// The functions below compute in the dtype of their operands. Each op wraps its whole computation
// in `widened`, so that a 16-bit result is rounded once.

/// Returns x / sqrt(mean(x^2) + eps), with the mean over some dims. Returns x if x has no elements.
/// In that case the mean would be NaN, but the gradient of a weight must be 0, because it is a sum
/// of no terms.
template <class X>
constexpr auto scaled_to_one(const X& x, const dims& d, unsigned over, double eps) -> X {
  return d.count() == 0 ? x : X(mul(x, rsqrt(add(mean_over(mul(x, x), over), eps))));
}

/// Mean and variance over some dims, which are kept with extent 1. If the samples lie along one of
/// these dims, each chunk computes partial moments, which are combined to the moments of the whole
/// batch.
template <class X>
struct mean_and_variance {
  X mean, variance;
};
template <class X>
constexpr auto moments_over(const X& x, unsigned over, int rank) -> mean_and_variance<X> {
  if (rank == dims::capacity) {  // `moments` would need one more dim
    const X mean = mean_over(x, over), off = sub(x, mean);
    return {mean, mean_over(mul(off, off), over)};
  }
  const X m = internal::moments(x, koila::dim = list_of_dims(over));
  return {ops::select(m, attr<index_t>(0), attr<index_t>(0)), ops::select(m, attr<index_t>(0), attr<index_t>(1))};
}

/// (...) -> (...): 1 / sqrt(variance + eps), or 0 where variance and eps are 0, as in LibTorch's
/// batch_norm.
template <class X>
constexpr auto inverse_deviation(const X& variance, double eps) -> X {
  if (eps != 0) return rsqrt(add(variance, eps));
  const X none = eq(variance, 0);
  return where(none, 0.0, rsqrt(where(none, 1.0, variance)));
}

/// Returns (x - mean) / sqrt(variance + eps), with mean and variance over some dims. `d` is the
/// dims of x. Returns x if x has no elements. Where variance and eps are 0, the result is 0 if
/// `of_channels` is true, as in LibTorch's batch_norm. If `of_channels` is false, the result is NaN
/// there, as in LibTorch's other norms.
template <class X>
constexpr auto standardised(const X& x, const dims& d, unsigned over, double eps, bool of_channels = false) -> X {
  if (d.count() == 0) return x;
  if (over == 0) return of_channels && eps == 0 ? X(sub(x, x)) : scaled_to_one(X(sub(x, x)), d, over, eps);
  const mean_and_variance<X> m = moments_over(x, over, d.rank);
  return mul(sub(x, m.mean), of_channels ? inverse_deviation(m.variance, eps) : X(rsqrt(add(m.variance, eps))));
}

/// Reshapes a per-channel value (c) to (1, c, 1, ...) with `rank` dims, the shape of the moments of
/// (n, c, ...). Returns a C++ number unchanged.
template <class X>
constexpr auto along_channels(const X& w, const dims& d, int rank) -> X {
  if (d.number) return w;
  dims to = open_dims(rank);
  for (int i = 0; i < rank; ++i) to.e[i] = i == 1 ? d[0] : extent{1};
  return reshape_to(w, to);
}
/// Like along_channels, but for an operand of the op. An operand of a 16-bit dtype is converted to
/// float32.
template <class X>
constexpr auto per_channel(const X& w, int rank) -> X {
  return along_channels(wide_operand(w), dims_of(w), rank);
}

/// Returns y * w + b for each channel, where w and b are operands of the op.
template <class X>
constexpr auto affine(const X& y, const X& w, const X& b, int rank) -> X {
  return add(mul(y, per_channel(w, rank)), per_channel(b, rank));
}

/// A normalisation of each channel: (n, c, ...) x (c) x (c) x (c) x (c) -> (n, c, ...). The
/// operands are x, optionally weight and bias, and then optionally running mean and running
/// variance. `Op` must define over(rank), the dims over which mean and variance are computed.
template <class Op, class Attributes>
struct channel_norm : op<Op, 5> {
  using attributes = Attributes;
  static constexpr auto rule(const dims& x, const attributes&) -> verdict { return rules::channelled(x); }
  static constexpr auto rule(const dims& x, const dims& w, const dims& b, const attributes&) -> verdict {
    return rules::channelled(x, w, b);
  }
  static constexpr auto rule(const dims& x, const dims& w, const dims& b, const dims& mu, const dims& var,
                             const attributes&) -> verdict {
    return rules::channelled(x, w, b, mu, var);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::widened(x, [&](const auto& v) { return standardised(v, dims_of(x), a); });
  }
  static constexpr auto expand(const auto& x, const auto& w, const auto& b, const attributes& a) {
    const dims d = dims_of(x);
    return detail::widened(x, [&](const auto& v) { return detail::affine(standardised(v, d, a), w, b, d.rank); });
  }

 protected:
  static constexpr auto standardised(const auto& v, const dims& d, const attributes& a) {
    return detail::standardised(v, d, Op::over(d.rank), a.eps.value, true);
  }
};

}  // namespace detail

}  // namespace koila::inline v0
