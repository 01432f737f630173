// SPDX-License-Identifier: MIT
#pragma once
// Shared by the dropout ops. An element of the mask is a function of the sample and the position in
// the sample, so that the mask does not depend on how the batch is cut into chunks.
#include <koila/ops/internal/bernoulli_like.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/numbers.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace detail {

/// `p` is the probability that an element is dropped. If `training` is false, no element is
/// dropped.
struct dropout_attributes {
  static constexpr std::size_t positional = 2;
  attr<double> p = 0.5;
  attr<bool> training = true;
  detail::random_identity call;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, p, training); }
  friend constexpr auto operator==(const dropout_attributes&, const dropout_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

constexpr auto dropout(const dims& x, const detail::dropout_attributes& a) -> verdict {
  if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
  if (!probability(a.p)) return reason::probability_out_of_range;
  return x.with(x.type);
}

}  // namespace rules

namespace detail {

/// The factor by which kept elements are multiplied, so that the mean is preserved. `keep` is the
/// probability of keeping.
constexpr auto factor_of_kept(double keep) -> double { return keep == 0 ? 0 : 1 / keep; }

/// Returns dropout of x: x / (1 - p) where an element is kept, else 0. Elements with the same
/// indices along the first `own` dims are kept or dropped together.
template <class X>
constexpr auto dropped(const X& x, const dropout_attributes& a, int own = dims::capacity) -> X {
  const double keep = 1 - a.p.value;
  if (!a.training.value || keep == 1) return x;
  return mul(x,
             internal::bernoulli_like(x, ops::p = keep, kept = factor_of_kept(keep), leading = own, drawn_as = a.call));
}

/// Returns alpha dropout of x. Dropped elements become the value of selu at minus infinity. The
/// result is scaled and shifted so that mean and variance are preserved.
template <class X>
constexpr auto alpha_dropped(const X& x, const dropout_attributes& a, int own = dims::capacity) -> X {
  constexpr double alpha = 1.7580993408473766;
  const double keep = 1 - a.p.value;
  if (!a.training.value || keep == 1) return x;
  const double scale = keep == 0 ? 0 : 1 / square_root((alpha * alpha * a.p.value + 1) * keep);
  const X mask = internal::bernoulli_like(x, ops::p = keep, kept = scale, leading = own, drawn_as = a.call);
  return sub(mul(add(x, alpha), mask), alpha * scale * keep);
}

/// Drops whole channels of (samples, channels, ...) or, if the rank is `Unbatched`, of (channels,
/// ...). The rank must be in [Least, Most].
template <class Op, int Least, int Most, int Unbatched>
struct channel_dropout : op<Op, 1> {
  using attributes = dropout_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.ranked() && (x.rank < Least || x.rank > Most)) return reason::no_rule_for_these_ranks;
    return rules::dropout(x, a);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::dropped(x, a, dims_of(x).rank == Unbatched ? 1 : 2);
  }
};

}  // namespace detail

}  // namespace koila::inline v0
