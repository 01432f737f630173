// SPDX-License-Identifier: MIT
// Definitions of adam.hpp.
#include <koila/kernels/updates.hpp>
#include <koila/optim/adam.hpp>
#include <koila/optim/update.ipp>

#include <cmath>

namespace koila::inline v0 {

namespace detail {

template <class O>
void adam_update(const O& o, bool decoupled, const at::Tensor& parameter, const at::Tensor& gradient, adam::state& s) {
  o.check(s);
  const auto [beta1, beta2] = o.betas;
  const auto step = static_cast<double>(s.step + 1);
  const double size = o.lr / (1 - std::pow(beta1, step)), root = std::sqrt(1 - std::pow(beta2, step));
  kernels::adam_update.for_device(parameter.device())(
      {o.lr, beta1, beta2, o.eps, o.weight_decay, decoupled, size, root}, parameter, gradient, s.exp_avg, s.exp_avg_sq,
      if_needed(s.max_exp_avg_sq, o.amsgrad));
  ++s.step;
}

}  // namespace detail

auto adam::state_for(const at::Tensor& parameter) const -> state {
  return {detail::kept_for(parameter), detail::kept_for(parameter),
          amsgrad ? detail::kept_for(parameter) : at::Tensor(), 0};
}
void adam::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  detail::adam_update(*this, false, parameter, gradient, s);
}
auto adamw::state_for(const at::Tensor& parameter) const -> state {
  return adam{.amsgrad = amsgrad}.state_for(parameter);
}
void adamw::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  detail::adam_update(*this, true, parameter, gradient, s);
}

}  // namespace koila::inline v0
