// SPDX-License-Identifier: MIT
// Definitions of adagrad.hpp.
#include <cmath>
#include <koila/kernels/cpu/host.hpp>
#include <koila/optim/adagrad.hpp>
#include <koila/optim/update.ipp>

namespace koila {

auto adagrad::state_for(const at::Tensor& parameter) const -> state {
  state s{detail::kept_for(parameter), 0};
  s.sum.fill_(initial_accumulator_value);
  return s;
}
void adagrad::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  const double rate = lr / (1 + static_cast<double>(s.step++) * lr_decay);
  if (!detail::on_host(parameter)) {
    if (weight_decay != 0) gradient.add_(parameter, weight_decay);
    s.sum.addcmul_(gradient, gradient, 1);
    parameter.addcdiv_(gradient, s.sum.sqrt().add_(eps), -rate);
    return;
  }
  detail::for_each_element(parameter, gradient, std::array{s.sum},
                           [decay = weight_decay, eps_ = eps, rate]<class T>(T& p, T g, std::array<T, 1>& k) {
                             if (decay != 0) g += static_cast<T>(decay) * p;
                             k[0] += g * g;
                             p -= static_cast<T>(rate) * g / (std::sqrt(k[0]) + static_cast<T>(eps_));
                           });
}

}  // namespace koila
