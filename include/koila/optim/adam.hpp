// SPDX-License-Identifier: MIT
#pragma once
// Adam and AdamW with LibTorch's formulas and defaults (torch/csrc/api/src/optim/adam.cpp,
// adamw.cpp).
#include <koila/optim/update.hpp>

#include <utility>

namespace koila::inline v0 {

namespace detail {

template <class O>
void check_adam(const O& o, std::string_view name) {
  require_at_least_0(name, "lr", o.lr);
  require_below_1(name, "the first of betas", o.betas.first);
  require_below_1(name, "the second of betas", o.betas.second);
  require_above_0(name, "eps", o.eps);
  require_at_least_0(name, "weight_decay", o.weight_decay);
}

}  // namespace detail

/// Adam, Kingma and Ba 2015: p -= lr * m / (sqrt(v) + eps), where m and v are the bias-corrected
/// running means of the gradient and of its square. weight_decay * p is added to the gradient.
/// `adam` is an aggregate: `adam{.lr = 1e-3, .weight_decay = 1e-4}`.
struct adam {
  static constexpr std::string_view name = "adam";
  double lr = 1e-3;
  std::pair<double, double> betas{0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool amsgrad = false;  ///< uses the largest v so far, Reddi et al. 2018

  /// The state of one parameter between steps.
  struct state {
    at::Tensor exp_avg, exp_avg_sq, max_exp_avg_sq;
    std::int64_t step = 0;
    auto bytes() const -> std::int64_t { return detail::bytes_kept(exp_avg, exp_avg_sq, max_exp_avg_sq); }
    /// Calls f(name, member) for each member of the state that checkpoint files store.
    static void each(auto& s, const auto& f) {
      f("exp_avg", s.exp_avg), f("exp_avg_sq", s.exp_avg_sq), f("max_exp_avg_sq", s.max_exp_avg_sq), f("step", s.step);
    }
  };
  detail::kept_states<state, adam> states = {};  ///< copies of the optimiser share the states
  /// Returns the initial state of a parameter. Allocates all memory that the state will ever need.
  auto state_for(const at::Tensor& parameter) const -> state;
  /// Throws argument_error if a setting is out of range.
  void check_settings() const { detail::check_adam(*this, "adam"); }
  /// Throws argument_error if the settings need memory that this state does not have.
  void check(const state& s) const { detail::require_kept(name, "amsgrad", amsgrad, s.max_exp_avg_sq); }
  /// Updates a parameter in place; may overwrite the gradient. Allocates nothing.
  void update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const;
};

/// AdamW, Loshchilov and Hutter 2019: like adam, but with decoupled weight decay: p -= lr *
/// weight_decay * p.
struct adamw {
  static constexpr std::string_view name = "adamw";
  double lr = 1e-3;
  std::pair<double, double> betas{0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 1e-2;
  bool amsgrad = false;

  using state = adam::state;
  detail::kept_states<state, adamw> states = {};
  auto state_for(const at::Tensor& parameter) const -> state;
  void check_settings() const { detail::check_adam(*this, "adamw"); }
  void check(const state& s) const { detail::require_kept(name, "amsgrad", amsgrad, s.max_exp_avg_sq); }
  void update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const;
};

}  // namespace koila::inline v0
