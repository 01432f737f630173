// SPDX-License-Identifier: MIT
#pragma once
// Learning-rate schedules: functions of the number of epochs or steps so far, used as
// `train.optimizer.lr = schedule(epoch)`. A call throws argument_error if a setting is invalid or
// if the rate is not finite.
#include <cmath>
#include <concepts>
#include <cstdint>
#include <locale>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <string>

namespace koila::inline v0 {

namespace detail {

/// Returns a number as text. (std::to_string prints at most six decimals.)
inline auto number_text(double value) -> std::string {
  std::ostringstream s;
  s.imbue(std::locale::classic());
  s << value;
  return s.str();
}
/// Returns `rate`, the rate of a schedule after t epochs or steps. Throws argument_error if the
/// rate is not finite.
inline auto rate_of(const char* schedule, std::int64_t t, double rate) -> double {
  if (!std::isfinite(rate))
    throw argument_error("koila: " + std::string(schedule) + ": the rate is " + number_text(rate) +
                         " at t = " + std::to_string(t));
  return rate;
}
/// Throws argument_error if a value is too small: "step_lr: step_size is 0, not at least 1".
inline void require_steps(const char* schedule, const char* name, std::int64_t value, std::int64_t least) {
  if (value < least)
    throw argument_error("koila: " + std::string(schedule) + ": " + name + " is " + std::to_string(value) +
                         ", not at least " + std::to_string(least));
}
/// Throws argument_error if a number is not in [0, most] or, if `open` is true, not in (0, most].
inline void require_factor(const char* schedule, const char* name, double value, double most = 1.7976931348623157e308,
                           bool open = false) {
  if (!(open ? value > 0 : value >= 0) || !(value <= most))
    throw argument_error("koila: " + std::string(schedule) + ": " + name + " is " + number_text(value) + ", not " +
                         (open ? "above 0" : "at least 0") + (most == 1 ? " and at most 1" : " and finite"));
}

}  // namespace detail

/// The rate is lr * gamma^floor(t / step_size). torch.optim.lr_scheduler.StepLR.
struct step_lr {
  double lr;
  std::int64_t step_size;
  double gamma = 0.1;
  auto operator()(std::floating_point auto t) const -> double = delete;  // t is a whole number of epochs or steps
  auto operator()(std::int64_t step) const -> double {
    detail::require_factor("step_lr", "lr", lr);
    detail::require_factor("step_lr", "gamma", gamma);
    detail::require_steps("step_lr", "step_size", step_size, 1);
    detail::require_steps("step_lr", "t", step, 0);
    return detail::rate_of("step_lr", step, lr * std::pow(gamma, static_cast<double>(step / step_size)));
  }
};

/// The rate is lr * gamma^t. torch.optim.lr_scheduler.ExponentialLR.
struct exponential_lr {
  double lr;
  double gamma;
  auto operator()(std::floating_point auto t) const -> double = delete;  // t is a whole number of epochs or steps
  auto operator()(std::int64_t step) const -> double {
    detail::require_factor("exponential_lr", "lr", lr);
    detail::require_factor("exponential_lr", "gamma", gamma);
    detail::require_steps("exponential_lr", "t", step, 0);
    return detail::rate_of("exponential_lr", step, lr * std::pow(gamma, static_cast<double>(step)));
  }
};

/// The rate goes from lr to eta_min along half a cosine in t_max steps.
/// torch.optim.lr_scheduler.CosineAnnealingLR in closed form.
struct cosine_annealing_lr {
  double lr;
  std::int64_t t_max;
  double eta_min = 0;
  auto operator()(std::floating_point auto t) const -> double = delete;  // t is a whole number of epochs or steps
  auto operator()(std::int64_t step) const -> double {
    detail::require_factor("cosine_annealing_lr", "lr", lr);
    detail::require_factor("cosine_annealing_lr", "eta_min", eta_min);
    detail::require_steps("cosine_annealing_lr", "t_max", t_max, 1);
    detail::require_steps("cosine_annealing_lr", "t", step, 0);
    const double turn = std::numbers::pi * static_cast<double>(step) / static_cast<double>(t_max);
    return detail::rate_of("cosine_annealing_lr", step, eta_min + (lr - eta_min) * (1 + std::cos(turn)) / 2);
  }
};

/// The rate goes linearly from start_factor * lr to end_factor * lr in total_iters steps, and then
/// stays constant. torch.optim.lr_scheduler.LinearLR.
struct linear_lr {
  double lr;
  double start_factor = 1.0 / 3;
  double end_factor = 1;
  std::int64_t total_iters = 5;
  auto operator()(std::floating_point auto t) const -> double = delete;  // t is a whole number of epochs or steps
  auto operator()(std::int64_t step) const -> double {
    detail::require_factor("linear_lr", "lr", lr);
    detail::require_factor("linear_lr", "start_factor", start_factor, 1, true);
    detail::require_factor("linear_lr", "end_factor", end_factor, 1);
    detail::require_steps("linear_lr", "total_iters", total_iters, 1);
    detail::require_steps("linear_lr", "t", step, 0);
    const double done = static_cast<double>(step < total_iters ? step : total_iters) / static_cast<double>(total_iters);
    return detail::rate_of("linear_lr", step, lr * (start_factor + (end_factor - start_factor) * done));
  }
};

/// The rate is lr * (1 - t / total_iters)^power. From t = total_iters on, the rate is constant: 0
/// if power > 0. torch.optim.lr_scheduler.PolynomialLR.
struct polynomial_lr {
  double lr;
  std::int64_t total_iters = 5;
  double power = 1;
  auto operator()(std::floating_point auto t) const -> double = delete;  // t is a whole number of epochs or steps
  auto operator()(std::int64_t step) const -> double {
    detail::require_factor("polynomial_lr", "lr", lr);
    detail::require_factor("polynomial_lr", "power", power);
    detail::require_steps("polynomial_lr", "total_iters", total_iters, 1);
    detail::require_steps("polynomial_lr", "t", step, 0);
    const double left =
        1 - static_cast<double>(step < total_iters ? step : total_iters) / static_cast<double>(total_iters);
    return detail::rate_of("polynomial_lr", step, lr * std::pow(left, power));
  }
};

/// The rate rises linearly to then(0) in `steps` steps. After that, the rate is then(t - steps):
/// `warmup{100, cosine_annealing_lr{1e-3, 1000}}`.
template <class Then>
struct warmup {
  std::int64_t steps;
  Then then;
  auto operator()(std::floating_point auto t) const -> double = delete;  // t is a whole number of epochs or steps
  auto operator()(std::int64_t step) const -> double {
    detail::require_steps("warmup", "steps", steps, 0);
    detail::require_steps("warmup", "t", step, 0);
    return step < steps ? then(0) * static_cast<double>(step + 1) / static_cast<double>(steps) : then(step - steps);
  }
};
template <class Then>
warmup(std::int64_t, Then) -> warmup<Then>;

}  // namespace koila::inline v0
