// SPDX-License-Identifier: MIT
// Definitions of rmsprop.hpp.
#include <cmath>
#include <koila/kernels/cpu/host.hpp>
#include <koila/optim/rmsprop.hpp>
#include <koila/optim/update.ipp>

namespace koila {

auto rmsprop::state_for(const at::Tensor& parameter) const -> state {
  const auto kept = [&](bool needed) { return needed ? detail::kept_for(parameter) : at::Tensor(); };
  return {kept(true), kept(momentum > 0), kept(centered)};
}
void rmsprop::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  check(s);
  if (!detail::on_host(parameter)) {
    if (weight_decay != 0) gradient.add_(parameter, weight_decay);
    s.square_avg.mul_(alpha).addcmul_(gradient, gradient, 1 - alpha);
    if (centered) s.grad_avg.mul_(alpha).add_(gradient, 1 - alpha);
    at::Tensor by = centered ? s.square_avg.addcmul(s.grad_avg, s.grad_avg, -1).sqrt_() : s.square_avg.sqrt();
    by.add_(eps);
    if (momentum > 0) parameter.add_(s.momentum_buffer.mul_(momentum).addcdiv_(gradient, by), -lr);
    else parameter.addcdiv_(gradient, by, -lr);
    return;
  }
  const struct {
    double lr, alpha, eps, weight_decay, momentum;
  } settings{lr, alpha, eps, weight_decay, momentum};  // without the shared states
  const auto update = [&]<bool Momentum, bool Centered>(const auto&... kept) {
    detail::for_each_element(parameter, gradient, std::array{s.square_avg, kept...},
                             [o = settings]<class T, std::size_t N>(T& p, T g, std::array<T, N>& k) {
                               if (o.weight_decay != 0) g += static_cast<T>(o.weight_decay) * p;
                               k[0] = static_cast<T>(o.alpha) * k[0] + static_cast<T>(1 - o.alpha) * g * g;
                               T v = k[0];
                               if constexpr (Centered) {
                                 T& mean = k[N - 1];
                                 mean = static_cast<T>(o.alpha) * mean + static_cast<T>(1 - o.alpha) * g;
                                 v -= mean * mean;
                               }
                               T d = g / (std::sqrt(v) + static_cast<T>(o.eps));
                               if constexpr (Momentum) d = k[1] = static_cast<T>(o.momentum) * k[1] + d;
                               p -= static_cast<T>(o.lr) * d;
                             });
  };
  if (momentum > 0 && centered) update.template operator()<true, true>(s.momentum_buffer, s.grad_avg);
  else if (momentum > 0) update.template operator()<true, false>(s.momentum_buffer);
  else if (centered) update.template operator()<false, true>(s.grad_avg);
  else update.template operator()<false, false>();
}

}  // namespace koila
