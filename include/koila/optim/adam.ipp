// SPDX-License-Identifier: MIT
// Definitions of adam.hpp.
#include <cmath>
#include <koila/kernels/cpu/host.hpp>
#include <koila/optim/adam.hpp>
#include <koila/optim/update.ipp>

namespace koila {

namespace detail {

template <bool Decoupled, class O>
void adam_update(const O& o, const at::Tensor& parameter, const at::Tensor& gradient, adam::state& s) {
  o.check(s);
  const auto step = static_cast<double>(s.step + 1);
  const double size = o.lr / (1 - std::pow(o.betas.first, step)), root = std::sqrt(1 - std::pow(o.betas.second, step));
  if (!on_host(parameter)) {
    if constexpr (Decoupled) parameter.mul_(1 - o.lr * o.weight_decay);
    else if (o.weight_decay != 0) gradient.add_(parameter, o.weight_decay);
    s.exp_avg.mul_(o.betas.first).add_(gradient, 1 - o.betas.first);
    s.exp_avg_sq.mul_(o.betas.second).addcmul_(gradient, gradient, 1 - o.betas.second);
    if (o.amsgrad) s.max_exp_avg_sq.clamp_min_(s.exp_avg_sq);
    gradient.copy_(o.amsgrad ? s.max_exp_avg_sq : s.exp_avg_sq).sqrt_().div_(root).add_(o.eps);  // overwrites it
    parameter.addcdiv_(s.exp_avg, gradient, -size);
    ++s.step;
    return;
  }
  const auto update = [decay = Decoupled ? 1 - o.lr * o.weight_decay : o.weight_decay, first = o.betas.first,
                       second = o.betas.second, eps = o.eps, size,
                       root]<class T, std::size_t N>(T& p, T g, std::array<T, N>& k) {
    if constexpr (Decoupled) p *= static_cast<T>(decay);
    else if (decay != 0) g += static_cast<T>(decay) * p;
    k[0] = static_cast<T>(first) * k[0] + static_cast<T>(1 - first) * g;
    k[1] = static_cast<T>(second) * k[1] + static_cast<T>(1 - second) * g * g;
    if constexpr (N == 3) k[2] = k[1] > k[2] ? k[1] : k[2];
    p -= static_cast<T>(size) * k[0] / (std::sqrt(k[N - 1]) / static_cast<T>(root) + static_cast<T>(eps));
  };
  if (o.amsgrad) for_each_element(parameter, gradient, std::array{s.exp_avg, s.exp_avg_sq, s.max_exp_avg_sq}, update);
  else for_each_element(parameter, gradient, std::array{s.exp_avg, s.exp_avg_sq}, update);
  ++s.step;
}

}  // namespace detail

auto adam::state_for(const at::Tensor& parameter) const -> state {
  return {detail::kept_for(parameter), detail::kept_for(parameter),
          amsgrad ? detail::kept_for(parameter) : at::Tensor(), 0};
}
void adam::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  detail::adam_update<false>(*this, parameter, gradient, s);
}
auto adamw::state_for(const at::Tensor& parameter) const -> state {
  return adam{.amsgrad = amsgrad}.state_for(parameter);
}
void adamw::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  detail::adam_update<true>(*this, parameter, gradient, s);
}

}  // namespace koila
