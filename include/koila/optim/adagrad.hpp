// SPDX-License-Identifier: MIT
#pragma once
// Adagrad with LibTorch's formula and defaults (torch/csrc/api/src/optim/adagrad.cpp).
#include <koila/optim/update.hpp>

namespace koila::inline v0 {

/// Adagrad, Duchi et al. 2011: p -= lr * g / (sqrt(s) + eps), where p is a parameter, g is its
/// gradient, and s is the sum of all squared gradients.
struct adagrad {
  static constexpr std::string_view name = "adagrad";
  double lr = 1e-2;
  double lr_decay = 0;  ///< lr is divided by 1 + lr_decay * (step - 1)
  double weight_decay = 0;
  double initial_accumulator_value = 0;
  double eps = 1e-10;

  /// The state of one parameter between steps.
  struct state {
    at::Tensor sum;
    std::int64_t step = 0;
    auto bytes() const -> std::int64_t { return detail::bytes_kept(sum); }
    /// Calls f(name, member) for each member of the state that checkpoint files store.
    static void each(auto& s, const auto& f) { f("sum", s.sum), f("step", s.step); }
  };
  detail::kept_states<state, adagrad> states = {};  ///< copies of the optimiser share the states
  /// Throws argument_error if a setting is out of range.
  void check_settings() const {
    detail::require_at_least_0("adagrad", "lr", lr);
    detail::require_at_least_0("adagrad", "lr_decay", lr_decay);
    detail::require_at_least_0("adagrad", "weight_decay", weight_decay);
    detail::require_at_least_0("adagrad", "initial_accumulator_value", initial_accumulator_value);
    detail::require_above_0("adagrad", "eps", eps);
  }
  /// Returns the initial state of a parameter. Allocates all memory that the state will ever need.
  auto state_for(const at::Tensor& parameter) const -> state;
  /// Updates a parameter in place. On the host, allocates nothing. On other devices, allocates a
  /// temporary tensor of the parameter's size.
  void update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const;
};

}  // namespace koila::inline v0
