// SPDX-License-Identifier: MIT
#pragma once
// In-place updates of parameters, gradients and the states of optimisers. None of them may fail
// once it has begun, so none allocates on the host.
#include <koila/kernels/routine.hpp>

namespace koila::kernels {

struct sgd_settings {
  double lr, momentum, dampening, weight_decay;
  bool nesterov;
  bool started;  // the momentum buffer holds a gradient
};
/// `momentum_buffer` is undefined without momentum. `factor`: memory for a scalar, undefined if the
/// device has an implementation of its own. `gradient` may be overwritten.
extern routine<void(const sgd_settings&, const at::Tensor& parameter, const at::Tensor& gradient,
                    const at::Tensor& momentum_buffer, const at::Tensor& factor)>
    sgd_update;

struct adam_settings {
  double lr, beta1, beta2, eps, weight_decay;
  bool decoupled;  // the weight decay: adamw
  double step_size, root;  // lr / (1 - beta1^t), and the root of 1 - beta2^t
};
/// `max_exp_avg_sq` is undefined unless the optimiser is amsgrad. `gradient` may be overwritten.
extern routine<void(const adam_settings&, const at::Tensor& parameter, const at::Tensor& gradient,
                    const at::Tensor& exp_avg, const at::Tensor& exp_avg_sq, const at::Tensor& max_exp_avg_sq)>
    adam_update;

struct rmsprop_settings {
  double lr, alpha, eps, weight_decay, momentum;
};
/// `momentum_buffer` is undefined without momentum, `grad_avg` unless the variance is centred.
/// `gradient` may be overwritten.
extern routine<void(const rmsprop_settings&, const at::Tensor& parameter, const at::Tensor& gradient,
                    const at::Tensor& square_avg, const at::Tensor& momentum_buffer, const at::Tensor& grad_avg)>
    rmsprop_update;

struct adagrad_settings {
  double rate, eps, weight_decay;
};
/// `gradient` may be overwritten.
extern routine<void(const adagrad_settings&, const at::Tensor& parameter, const at::Tensor& gradient,
                    const at::Tensor& sum)>
    adagrad_update;

/// Returns the sum of the squares of all elements. It does not depend on the number of threads.
extern routine<double(const at::Tensor& t)> sum_of_squares;
/// t *= by.
extern routine<void(const at::Tensor& t, double by)> scale;
/// Limits each element to [-limit, limit].
extern routine<void(const at::Tensor& t, double limit)> clamp;
/// t += by. The version of t that autograd checks increases.
extern routine<void(const at::Tensor& t, const at::Tensor& by)> add;

}  // namespace koila::kernels
