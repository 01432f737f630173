// SPDX-License-Identifier: MIT
#pragma once
// instance_norm: normalises each channel of each sample to mean 0 and variance 1.
#include <koila/ops/normalization/batch_norm.hpp>

namespace koila::inline v0 {

namespace detail {

struct instance_norm_attributes {
  static constexpr std::size_t positional = 3;
  attr<bool> use_input_stats = true;
  attr<double> momentum = 0.1, eps = 1e-5;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, use_input_stats, momentum, eps); }
  friend constexpr auto operator==(const instance_norm_attributes&, const instance_norm_attributes&) -> bool = default;
};

}  // namespace detail

/// (n, c, ...) x (c) x (c) x (c) x (c) -> (n, c, ...): (x - mean) / sqrt(variance + eps) * w + b,
/// with the mean and variance of each channel of each sample, or with the running statistics. The
/// running statistics may be left out. In that case weight and bias may be left out too. Weight and
/// bias may be numbers.
inline constexpr struct instance_norm : detail::channel_norm<instance_norm, detail::instance_norm_attributes> {
  static constexpr std::string_view name = "instance_norm";
  using channel_norm::expand;
  using channel_norm::rule;
  /// Refuses samples with one value per channel if running statistics would be updated, because
  /// the running variance is unbiased, and an unbiased variance needs at least two values.
  static constexpr auto rule(const dims& x, const dims& w, const dims& b, const dims& mu, const dims& var,
                             const attributes& a) -> verdict {
    const verdict v = channel_norm::rule(x, w, b, mu, var, a);
    if (!v.accepted() || !x.ranked() || !a.use_input_stats.known || !a.use_input_stats.value) return v;
    for (int i = 2; i < x.rank; ++i)
      if (!x[i].is_one()) return v;
    return reason::one_value_per_channel;
  }
  static constexpr auto over(int rank) -> unsigned { return detail::dims_between(2, rank); }
  static constexpr auto expand(const auto& x, const auto& w, const auto& b, const auto& mu, const auto& var,
                               const attributes& a) {
    if (a.use_input_stats.value) return expand(x, w, b, a);
    return batch_norm(x, w, b, mu, var, training = false, koila::eps = a.eps);
  }
  /// Returns the new values of running statistics that are buffers. A new value is (1 - momentum)
  /// times the old value plus momentum times the average of the means, or of the unbiased
  /// variances, of all samples.
  static constexpr auto updates(const auto& x, const auto&, const auto&, const auto& mu, const auto& var,
                                const attributes& a) {
    const dims d = dims_of(x);  // an empty batch has no statistics
    if (!a.use_input_stats.value || d.count() == 0)
      return gradients(no_gradient, no_gradient, no_gradient, no_gradient, no_gradient);
    const auto now = detail::moments_over(detail::wide_operand(x), over(d.rank), d.rank);
    const double samples = static_cast<double>(d[0].n) * static_cast<double>(d[1].n);
    const double n = static_cast<double>(d.count()) / (samples == 0 ? 1 : samples), new_part = a.momentum.value;
    const auto moved = [&](const auto& running, const auto& of_samples, double factor) {
      const dims r = dims_of(running);
      return detail::widened(running, [&]<class X>(const X& v) -> X {
        return add(mul(v, 1 - new_part), mul(detail::reshape_to(detail::mean_over(of_samples, 0b1U), r), factor));
      });
    };
    return gradients(no_gradient, no_gradient, no_gradient, moved(mu, now.mean, new_part),
                     moved(var, now.variance, new_part * n / (n - 1)));
  }
} instance_norm;

}  // namespace koila::inline v0
