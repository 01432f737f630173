// SPDX-License-Identifier: MIT
#pragma once
// batch_norm: normalises each channel to mean 0 and variance 1 over the batch.
#include <koila/ops/internal/centred_affine.hpp>
#include <koila/ops/normalization/normalisation.hpp>
#include <koila/ops/pointwise/detach.hpp>

namespace koila::inline v0 {

namespace detail {

struct batch_norm_attributes {
  static constexpr std::size_t positional = 3;
  attr<bool> training = true;
  attr<double> momentum = 0.1, eps = 1e-5;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, training, momentum, eps); }
  friend constexpr auto operator==(const batch_norm_attributes&, const batch_norm_attributes&) -> bool = default;
};

}  // namespace detail

/// (n, c, ...) x (c) x (c) x (c) x (c) -> (n, c, ...): (x - mean) / sqrt(variance + eps) * w + b
/// for each channel. The operands are x, weight, bias, running mean and running variance. If
/// `training` is true, mean and variance are those of the whole batch, even if the batch runs in
/// chunks. If `training` is false, the running mean and variance are used. batch_norm(x, w, b) and
/// batch_norm(x) always use the mean and variance of the batch. Weight and bias may be numbers:
/// batch_norm(x, 1, 0, mean, var).
inline constexpr struct batch_norm : detail::channel_norm<batch_norm, detail::batch_norm_attributes> {
  static constexpr std::string_view name = "batch_norm";
  static constexpr double aten_absent[] = {0, 1, 0};
  using channel_norm::rule;
  /// Refuses training with one value per channel, because the running variance is unbiased, and
  /// an unbiased variance needs at least two values.
  static constexpr auto rule(const dims& x, const dims& w, const dims& b, const dims& mu, const dims& var,
                             const attributes& a) -> verdict {
    const verdict v = channel_norm::rule(x, w, b, mu, var, a);
    const bool trains = a.training.known && a.training.value && x.ranked() && x.known();
    return v.accepted() && trains && x.count() == x[1].n ? verdict(reason::one_value_per_channel) : v;
  }
  static constexpr auto over(int rank) -> unsigned { return detail::dims_between(0, rank) & ~0b10U; }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const dims d = dims_of(x);
    if (!is_centred(d)) return channel_norm::expand(x, a);
    return detail::widened(x, [&]<class X>(const X& v) -> X {
      const auto [mu, factor] = mean_and_scale(v, d.rank, a);
      return internal::centred_affine(v, mu, factor, 0.0);
    });
  }
  static constexpr auto expand(const auto& x, const auto& w, const auto& b, const attributes& a) {
    const dims d = dims_of(x);
    if (!is_centred(d)) return channel_norm::expand(x, w, b, a);
    return detail::widened(x, [&]<class X>(const X& v) -> X {
      const auto [mu, factor] = mean_and_scale(v, d.rank, a);
      return centred(v, mu, factor, w, b, d.rank);
    });
  }
  /// The running statistics get no gradient.
  static constexpr auto expand(const auto& x, const auto& w, const auto& b, const auto& mu, const auto& var,
                               const attributes& a) {
    if (a.training.value) return expand(x, w, b, a);
    const dims d = dims_of(x);
    return detail::widened(x, [&]<class X>(const X& v) -> X {
      const X m = detail::along_channels(X(detach(detail::wide_operand(mu))), dims_of(mu), d.rank),
              factor = detail::along_channels(X(rsqrt(add(detach(detail::wide_operand(var)), a.eps.value))),
                                              dims_of(var), d.rank);
      return is_centred(d) ? X(centred(v, m, factor, w, b, d.rank))
                           : X(detail::affine(X(mul(sub(v, m), factor)), w, b, d.rank));
    });
  }
  /// Returns the new values of running statistics that are buffers. A new value is (1 - momentum)
  /// times the old value plus momentum times the mean, or the unbiased variance, of the batch.
  static constexpr auto updates(const auto& x, const auto&, const auto&, const auto& mu, const auto& var,
                                const attributes& a) {
    const dims d = dims_of(x);  // an empty batch has no statistics
    if (!a.training.value || d.count() == 0)
      return gradients(no_gradient, no_gradient, no_gradient, no_gradient, no_gradient);
    const auto now = detail::moments_over(detail::wide_operand(x), over(d.rank), d.rank);
    const auto n = static_cast<double>(d.count()) / static_cast<double>(d[1].n == 0 ? 1 : d[1].n),
               new_part = a.momentum.value;
    const auto moved = [&](const auto& running, const auto& to_here, double factor) {
      const dims r = dims_of(running);
      return detail::widened(running, [&]<class X>(const X& v) -> X {
        return add(mul(v, 1 - new_part), mul(detail::reshape_to(to_here, r), factor));
      });
    };
    return gradients(no_gradient, no_gradient, no_gradient, moved(mu, now.mean, new_part),
                     moved(var, now.variance, new_part * n / (n - 1)));
  }

 private:
  template <class X>
  struct mean_scale {
    X mean, scale;
  };
  /// Returns the mean of each channel over the batch, and 1 / sqrt(variance + eps).
  template <class X>
  static constexpr auto mean_and_scale(const X& x, int rank, const attributes& a) -> mean_scale<X> {
    const auto m = detail::moments_over(x, over(rank), rank);
    return {m.mean, detail::inverse_deviation(m.variance, a.eps.value)};
  }
  /// Returns (x - mu) * factor * w + b, where w and b are operands of the op.
  static constexpr auto centred(const auto& x, const auto& mu, const auto& factor, const auto& w, const auto& b,
                                int rank) {
    return internal::centred_affine(x, mu, mul(factor, detail::per_channel(w, rank)), detail::per_channel(b, rank));
  }
  /// Returns true if `moments` can compute mean and variance. x must have elements, and fewer
  /// dims than the maximum, because `moments` adds a dim.
  static constexpr auto is_centred(const dims& x) -> bool { return x.rank < dims::capacity && x.count() > 0; }
} batch_norm;

}  // namespace koila::inline v0
