#pragma once
// Learning-rate schedules: functions of the number of epochs or steps so far. `train.optimizer.lr = schedule(epoch)`.
#include <cmath>
#include <cstdint>
#include <numbers>

namespace koila {

/// lr gamma^(t / step_size), in whole steps. torch.optim.lr_scheduler.StepLR.
struct step_lr {
  double lr;
  std::int64_t step_size;
  double gamma = 0.1;
  auto operator()(std::int64_t t) const -> double { return lr * std::pow(gamma, static_cast<double>(t / step_size)); }
};

/// lr gamma^t. torch.optim.lr_scheduler.ExponentialLR.
struct exponential_lr {
  double lr;
  double gamma;
  auto operator()(std::int64_t t) const -> double { return lr * std::pow(gamma, static_cast<double>(t)); }
};

/// From lr to eta_min along half a cosine in T_max steps. torch.optim.lr_scheduler.CosineAnnealingLR, in closed form.
struct cosine_annealing_lr {
  double lr;
  std::int64_t t_max;
  double eta_min = 0;
  auto operator()(std::int64_t t) const -> double {
    const double turn = std::numbers::pi * static_cast<double>(t) / static_cast<double>(t_max);
    return eta_min + (lr - eta_min) * (1 + std::cos(turn)) / 2;
  }
};

/// From start_factor lr to end_factor lr in total_iters steps, then constant. torch.optim.lr_scheduler.LinearLR.
struct linear_lr {
  double lr;
  double start_factor = 1.0 / 3;
  double end_factor = 1;
  std::int64_t total_iters = 5;
  auto operator()(std::int64_t t) const -> double {
    const double done = static_cast<double>(t < total_iters ? t : total_iters) / static_cast<double>(total_iters);
    return lr * (start_factor + (end_factor - start_factor) * done);
  }
};

/// lr (1 - t / total_iters)^power, then 0. torch.optim.lr_scheduler.PolynomialLR.
struct polynomial_lr {
  double lr;
  std::int64_t total_iters = 5;
  double power = 1;
  auto operator()(std::int64_t t) const -> double {
    const double left = 1 - static_cast<double>(t < total_iters ? t : total_iters) / static_cast<double>(total_iters);
    return lr * std::pow(left, power);
  }
};

/// Another schedule after warming up linearly for so many steps: `warmup{100, cosine_annealing_lr{1e-3, 1000}}`.
template <class Then>
struct warmup {
  std::int64_t steps;
  Then then;
  auto operator()(std::int64_t t) const -> double {
    return t < steps ? then(0) * static_cast<double>(t + 1) / static_cast<double>(steps) : then(t - steps);
  }
};
template <class Then>
warmup(std::int64_t, Then) -> warmup<Then>;

}  // namespace koila
