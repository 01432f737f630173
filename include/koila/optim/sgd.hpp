// SPDX-License-Identifier: MIT
#pragma once
// Stochastic gradient descent with LibTorch's formula (torch/csrc/api/src/optim/sgd.cpp).
#include <koila/optim/update.hpp>

namespace koila::inline v0 {

/// SGD: p -= lr * d, where d is the gradient plus weight_decay * p, with momentum as in
/// torch.optim.SGD if `momentum` is not 0. `sgd` is an aggregate: `sgd{.lr = 0.1, .momentum =
/// 0.9}`.
struct sgd {
  static constexpr std::string_view name = "sgd";
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;

  /// The state of one parameter between steps.
  struct state {
    at::Tensor momentum_buffer;
    at::Tensor factor;  // momentum as a 0-dim tensor; LibTorch would allocate one in each update; undefined on the host
    bool started = false;
    auto bytes() const -> std::int64_t { return detail::bytes_kept(momentum_buffer, factor); }
    /// `each` calls f(name, member) for each member that checkpoint files store. `complete` creates
    /// `factor` if it is needed.
    static void each(auto& s, const auto& f) { f("momentum_buffer", s.momentum_buffer), f("started", s.started); }
    void complete(const at::Tensor& parameter);
  };
  detail::kept_states<state, sgd> states = {};  ///< copies of the optimiser share the states
  /// Returns the initial state of a parameter. Allocates all memory that the state will ever need.
  auto state_for(const at::Tensor& parameter) const -> state;
  /// Throws argument_error if a setting is out of range, or if Nesterov momentum is used
  /// without momentum or with dampening.
  void check_settings() const;
  /// Throws argument_error if the settings need memory that this state does not have.
  void check(const state& s) const { detail::require_kept(name, "momentum", momentum != 0, s.momentum_buffer); }
  /// Updates a parameter in place; may overwrite the gradient. Allocates nothing.
  void update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const;
};

}  // namespace koila::inline v0
