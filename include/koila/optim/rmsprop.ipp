// SPDX-License-Identifier: MIT
// Definitions of rmsprop.hpp.
#include <koila/kernels/updates.hpp>
#include <koila/optim/rmsprop.hpp>
#include <koila/optim/update.ipp>

namespace koila::inline v0 {

auto rmsprop::state_for(const at::Tensor& parameter) const -> state {
  const auto kept = [&](bool needed) { return needed ? detail::kept_for(parameter) : at::Tensor(); };
  return {kept(true), kept(momentum > 0), kept(centered)};
}
void rmsprop::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  check(s);
  kernels::rmsprop_update.for_device(parameter.device())(
      {lr, alpha, eps, weight_decay, momentum}, parameter, gradient, s.square_avg,
      detail::if_needed(s.momentum_buffer, momentum > 0), detail::if_needed(s.grad_avg, centered));
}

}  // namespace koila::inline v0
