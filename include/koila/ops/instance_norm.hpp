#pragma once
// instance_norm: each channel of each sample to mean 0 and variance 1.
#include <koila/ops/batch_norm.hpp>

namespace koila {

/// Whether instance_norm takes each sample's own statistics, else the running ones.
inline constexpr struct use_input_stats : attribute_name<use_input_stats> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.use_input_stats)) { return a.use_input_stats; }
} use_input_stats;

struct instance_norm_attributes {
  static constexpr std::size_t positional = 3;
  attr<bool> use_input_stats = true;
  attr<double> momentum = 0.1, eps = 1e-5;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, use_input_stats, momentum, eps); }
  friend constexpr auto operator==(const instance_norm_attributes&, const instance_norm_attributes&) -> bool = default;
};

/// (n, c, ...) x (c) x (c) x (c) x (c) -> (n, c, ...): (x - mean) / sqrt(variance + eps) w + b, mean and variance over each channel of
/// each sample, or the running ones; without these, or without weight and bias too. Numbers may stand for weight and bias.
inline constexpr struct instance_norm : channel_norm<instance_norm, instance_norm_attributes> {
  static constexpr std::string_view name = "instance_norm";
  using channel_norm::expand;
  static constexpr auto over(int rank) -> unsigned { return detail::dims_between(2, rank); }
  static constexpr auto expand(const auto& x, const auto& w, const auto& b, const auto& mean, const auto& var,
                               const attributes& a) {
    if (a.use_input_stats.value) return expand(x, w, b, a);
    return batch_norm(x, w, b, mean, var, training = false, koila::eps = a.eps);
  }
} instance_norm;

}  // namespace koila
