// SPDX-License-Identifier: MIT
#pragma once
// In-place updates of parameters, gradients and optimiser states. All tensors of a call must have
// the same sizes, dtype and device. An update must not fail halfway, so the host's implementations
// do not allocate memory. The implementations by LibTorch's operators allocate a temporary in
// rmsprop_update and adagrad_update.
#include <koila/kernels/routine.hpp>

namespace koila::inline v0::kernels {

/// The settings of torch.optim.SGD.
struct sgd_settings {
  double lr, momentum, dampening, weight_decay;
  bool nesterov;
  bool started;  // true if an earlier update has filled the momentum buffer
};
/// Performs one update of sgd. `momentum_buffer` is undefined if there is no momentum. `factor`
/// is a scalar tensor for temporary use. `factor` is undefined if the device has its own
/// implementation. May overwrite `gradient`.
extern routine<void(const sgd_settings&, const at::Tensor& parameter, const at::Tensor& gradient,
                    const at::Tensor& momentum_buffer, const at::Tensor& factor)>
    sgd_update;

/// The settings of torch.optim.Adam, or of AdamW if `decoupled`.
struct adam_settings {
  double lr, beta1, beta2, eps, weight_decay;
  bool decoupled;  // the weight decay is decoupled from the gradient, as in AdamW
  double step_size, root;  // lr / (1 - beta1^t) and sqrt(1 - beta2^t), for update t
};
/// Performs one update of adam or adamw. `max_exp_avg_sq` is undefined unless amsgrad is set. May
/// overwrite `gradient`.
extern routine<void(const adam_settings&, const at::Tensor& parameter, const at::Tensor& gradient,
                    const at::Tensor& exp_avg, const at::Tensor& exp_avg_sq, const at::Tensor& max_exp_avg_sq)>
    adam_update;

/// The settings of torch.optim.RMSprop.
struct rmsprop_settings {
  double lr, alpha, eps, weight_decay, momentum;
};
/// Performs one update of rmsprop. `momentum_buffer` is undefined if there is no momentum.
/// `grad_avg` is undefined if the optimiser is not centered. May overwrite `gradient`.
extern routine<void(const rmsprop_settings&, const at::Tensor& parameter, const at::Tensor& gradient,
                    const at::Tensor& square_avg, const at::Tensor& momentum_buffer, const at::Tensor& grad_avg)>
    rmsprop_update;

/// The settings of torch.optim.Adagrad. `rate` is the learning rate after lr_decay is applied.
struct adagrad_settings {
  double rate, eps, weight_decay;
};
/// Performs one update of adagrad. `sum` holds the sums of squared gradients. May overwrite
/// `gradient`.
extern routine<void(const adagrad_settings&, const at::Tensor& parameter, const at::Tensor& gradient,
                    const at::Tensor& sum)>
    adagrad_update;

/// Returns the sum of the squares of all elements. The result does not depend on the number of
/// threads.
extern routine<double(const at::Tensor& t)> sum_of_squares;
/// Multiplies t by a number.
extern routine<void(const at::Tensor& t, double by)> scale;
/// Limits each element to [-limit, limit].
extern routine<void(const at::Tensor& t, double limit)> clamp;
/// Adds `by` to t and increments t's version counter, which autograd checks.
extern routine<void(const at::Tensor& t, const at::Tensor& by)> add;

}  // namespace koila::inline v0::kernels
