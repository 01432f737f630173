// SPDX-License-Identifier: MIT
// The functions of updates.hpp, implemented with LibTorch's operators.
#include <koila/kernels/updates.hpp>
#include <koila/ops/common/definitions.hpp>

namespace koila::inline v0::kernels {

constinit decltype(sgd_update) sgd_update{[](const sgd_settings& o, const at::Tensor& parameter,
                                             const at::Tensor& gradient, const at::Tensor& momentum_buffer,
                                             const at::Tensor& factor) {
  if (o.weight_decay != 0) gradient.add_(parameter, o.weight_decay);
  if (o.momentum == 0) {
    parameter.add_(gradient, -o.lr);
    return;
  }
  factor.fill_(o.momentum);
  momentum_buffer.mul_(factor).add_(gradient, o.started ? 1 - o.dampening : 1.0);
  if (o.nesterov) parameter.add_(gradient.add_(momentum_buffer, o.momentum), -o.lr);
  else parameter.add_(momentum_buffer, -o.lr);
}};

constinit decltype(adam_update) adam_update{[](const adam_settings& o, const at::Tensor& parameter,
                                               const at::Tensor& gradient, const at::Tensor& exp_avg,
                                               const at::Tensor& exp_avg_sq, const at::Tensor& max_exp_avg_sq) {
  if (o.decoupled) parameter.mul_(1 - o.lr * o.weight_decay);
  else if (o.weight_decay != 0) gradient.add_(parameter, o.weight_decay);
  exp_avg.mul_(o.beta1).add_(gradient, 1 - o.beta1);
  exp_avg_sq.mul_(o.beta2).addcmul_(gradient, gradient, 1 - o.beta2);
  const bool amsgrad = max_exp_avg_sq.defined();
  if (amsgrad) max_exp_avg_sq.clamp_min_(exp_avg_sq);
  gradient.copy_(amsgrad ? max_exp_avg_sq : exp_avg_sq).sqrt_().div_(o.root).add_(o.eps);
  parameter.addcdiv_(exp_avg, gradient, -o.step_size);
}};

constinit decltype(rmsprop_update) rmsprop_update{[](const rmsprop_settings& o, const at::Tensor& parameter,
                                                     const at::Tensor& gradient, const at::Tensor& square_avg,
                                                     const at::Tensor& momentum_buffer, const at::Tensor& grad_avg) {
  if (o.weight_decay != 0) gradient.add_(parameter, o.weight_decay);
  square_avg.mul_(o.alpha).addcmul_(gradient, gradient, 1 - o.alpha);
  const bool centered = grad_avg.defined();
  if (centered) grad_avg.mul_(o.alpha).add_(gradient, 1 - o.alpha);
  at::Tensor by = centered ? square_avg.addcmul(grad_avg, grad_avg, -1).sqrt_() : square_avg.sqrt();
  by.add_(o.eps);
  if (momentum_buffer.defined()) parameter.add_(momentum_buffer.mul_(o.momentum).addcdiv_(gradient, by), -o.lr);
  else parameter.addcdiv_(gradient, by, -o.lr);
}};

constinit decltype(adagrad_update) adagrad_update{
    [](const adagrad_settings& o, const at::Tensor& parameter, const at::Tensor& gradient, const at::Tensor& sum) {
      if (o.weight_decay != 0) gradient.add_(parameter, o.weight_decay);
      sum.addcmul_(gradient, gradient, 1);
      parameter.addcdiv_(gradient, sum.sqrt().add_(o.eps), -o.rate);
    }};

constinit decltype(sum_of_squares) sum_of_squares{[](const at::Tensor& t) {
  const auto norm = t.norm(2, t.scalar_type() == at::kDouble ? at::kDouble : at::kFloat).item().toDouble();
  return norm * norm;
}};
constinit decltype(scale) scale{[](const at::Tensor& t, double by) { t.mul_(by); }};
constinit decltype(clamp) clamp{[](const at::Tensor& t, double limit) { t.clamp_(-limit, limit); }};
constinit decltype(add) add{[](const at::Tensor& t, const at::Tensor& by) { t.add_(by); }};

}  // namespace koila::inline v0::kernels
