// SPDX-License-Identifier: MIT
// Definitions of adagrad.hpp.
#include <koila/kernels/updates.hpp>
#include <koila/optim/adagrad.hpp>
#include <koila/optim/update.ipp>

namespace koila::inline v0 {

auto adagrad::state_for(const at::Tensor& parameter) const -> state {
  state s{detail::kept_for(parameter), 0};
  s.sum.fill_(initial_accumulator_value);
  return s;
}
void adagrad::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  const double rate = lr / (1 + static_cast<double>(s.step++) * lr_decay);
  kernels::adagrad_update.for_device(parameter.device())({rate, eps, weight_decay}, parameter, gradient, s.sum);
}

}  // namespace koila::inline v0
