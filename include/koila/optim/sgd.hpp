// SPDX-License-Identifier: MIT
#pragma once
// Stochastic gradient descent with LibTorch's formula (torch/csrc/api/src/optim/sgd.cpp).
#include <koila/optim/update.hpp>

namespace koila {

/// SGD: p -= lr * d, where d is the gradient plus weight_decay * p, with momentum if that is not 0.
/// An aggregate: `sgd{.lr = 0.1, .momentum = 0.9}`.
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
    at::Tensor factor;  // () on devices: momentum as a tensor, which LibTorch would allocate for each update
    bool started = false;
    auto bytes() const -> std::int64_t { return detail::bytes_kept(momentum_buffer, factor); }
    /// `each` calls f(name, part) for each part that a file stores; `complete` adds the others.
    static void each(auto& s, const auto& f) { f("momentum_buffer", s.momentum_buffer), f("started", s.started); }
    void complete(const at::Tensor& parameter);
  };
  detail::kept_states<state, sgd> states = {};  ///< shared by all copies
  /// Allocates all memory that the updates of a parameter will ever need.
  auto state_for(const at::Tensor& parameter) const -> state;
  /// Throws argument_error if a setting is out of range, or if Nesterov momentum is used
  /// without momentum or with dampening.
  void check_settings() const;
  /// Throws argument_error if the settings need memory that this state does not have.
  void check(const state& s) const { detail::require_kept(name, "momentum", momentum != 0, s.momentum_buffer); }
  /// Updates a parameter in place; may overwrite the gradient. Allocates nothing.
  void update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const;
};

}  // namespace koila
