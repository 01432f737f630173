// SPDX-License-Identifier: MIT
#pragma once
// RMSprop with LibTorch's formula and defaults (torch/csrc/api/src/optim/rmsprop.cpp).
#include <koila/optim/update.hpp>

namespace koila::inline v0 {

/// RMSprop, Hinton 2012: p -= lr * g / (sqrt(v) + eps), where p is a parameter, g is its gradient,
/// and v is a running mean of the squared gradient.
struct rmsprop {
  static constexpr std::string_view name = "rmsprop";
  double lr = 1e-2;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;  ///< v is the variance of the gradient

  /// The state of one parameter between steps.
  struct state {
    at::Tensor square_avg, momentum_buffer, grad_avg;
    auto bytes() const -> std::int64_t { return detail::bytes_kept(square_avg, momentum_buffer, grad_avg); }
    /// Calls f(name, member) for each member of the state that checkpoint files store.
    static void each(auto& s, const auto& f) {
      f("square_avg", s.square_avg), f("momentum_buffer", s.momentum_buffer), f("grad_avg", s.grad_avg);
    }
  };
  detail::kept_states<state, rmsprop> states = {};  ///< copies of the optimiser share the states
  /// Returns the initial state of a parameter. Allocates all memory that the state will ever need.
  auto state_for(const at::Tensor& parameter) const -> state;
  /// Throws argument_error if a setting is out of range.
  void check_settings() const {
    detail::require_at_least_0("rmsprop", "lr", lr);
    detail::require_below_1("rmsprop", "alpha", alpha);
    detail::require_above_0("rmsprop", "eps", eps);
    detail::require_at_least_0("rmsprop", "weight_decay", weight_decay);
    detail::require_at_least_0("rmsprop", "momentum", momentum);
  }
  /// Throws argument_error if the settings need memory that this state does not have.
  void check(const state& s) const {
    detail::require_kept(name, "momentum", momentum > 0, s.momentum_buffer);
    detail::require_kept(name, "centered", centered, s.grad_avg);
  }
  /// Updates a parameter in place. On the host, allocates nothing. On other devices, allocates a
  /// temporary tensor of the parameter's size.
  void update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const;
};

}  // namespace koila::inline v0
