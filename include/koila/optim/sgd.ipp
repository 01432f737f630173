// SPDX-License-Identifier: MIT
// Definitions of sgd.hpp.
#include <koila/device/tensor.hpp>
#include <koila/kernels/updates.hpp>
#include <koila/optim/sgd.hpp>
#include <koila/optim/update.ipp>

namespace koila::inline v0 {

void sgd::check_settings() const {
  detail::require_at_least_0("sgd", "lr", lr);
  detail::require_at_least_0("sgd", "momentum", momentum);
  detail::require_finite("sgd", "dampening", dampening);
  detail::require_at_least_0("sgd", "weight_decay", weight_decay);
  if (nesterov && !(momentum > 0 && dampening == 0))
    throw argument_error("koila: sgd: Nesterov's momentum requires a momentum above 0 and a dampening of 0");
}

auto sgd::state_for(const at::Tensor& parameter) const -> state {
  if (momentum == 0) return {};
  state s{detail::kept_for(parameter), {}};
  s.complete(parameter);
  return s;
}

void sgd::state::complete(const at::Tensor& parameter) {
  if (kernels::sgd_update.is_own(parameter.device()) || !momentum_buffer.defined() || factor.defined()) return;
  factor = device::empty({}, parameter.scalar_type(), parameter.device());
}

void sgd::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  check(s);
  kernels::sgd_update.for_device(parameter.device())({lr, momentum, dampening, weight_decay, nesterov, s.started},
                                                     parameter, gradient, s.momentum_buffer, s.factor);
  s.started = s.started || momentum != 0;
}

}  // namespace koila::inline v0
