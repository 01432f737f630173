#pragma once
// RMSprop with LibTorch's formula and defaults (torch/csrc/api/src/optim/rmsprop.cpp).
#include <koila/optim/update.hpp>

namespace koila {

/// RMSprop, Hinton 2012: p -= lr g / (sqrt(v) + eps), where v is a running mean of the squared
/// gradient.
struct rmsprop {
  static constexpr std::string_view name = "rmsprop";
  double lr = 1e-2;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;  ///< v is the variance of the gradient

  /// The state of one parameter between steps.
  struct state {
    at::Tensor square_avg, momentum_buffer, grad_avg;
    auto bytes() const -> std::int64_t { return detail::bytes_kept({square_avg, momentum_buffer, grad_avg}); }
    /// Calls f(name, part) for each part that a file stores.
    static void each(auto& s, const auto& f) {
      f("square_avg", s.square_avg), f("momentum_buffer", s.momentum_buffer), f("grad_avg", s.grad_avg);
    }
  };
  detail::kept_states<state, rmsprop> states = {};  ///< shared by all copies
  /// Allocates all memory that the updates of a parameter will ever need.
  auto state_for(const at::Tensor& parameter) const -> state;
  /// Throws std::invalid_argument if a setting is out of range.
  void check_settings() const {
    detail::require_at_least_0("rmsprop", "lr", lr);
    detail::require_below_1("rmsprop", "alpha", alpha);
    detail::require_above_0("rmsprop", "eps", eps);
    detail::require_at_least_0("rmsprop", "weight_decay", weight_decay);
    detail::require_at_least_0("rmsprop", "momentum", momentum);
  }
  /// Throws std::invalid_argument if the settings need memory that this state does not have.
  void check(const state& s) const {
    detail::check_kept(!(momentum > 0 && !s.momentum_buffer.defined()) && !(centered && !s.grad_avg.defined()));
  }
  /// Updates a parameter in place. Allocates nothing on the host. On other devices it allocates a
  /// temporary of the parameter's size.
  void update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const;
};

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <cmath>

namespace koila {

KOILA_INLINE auto rmsprop::state_for(const at::Tensor& parameter) const -> state {
  const auto kept = [&](bool needed) { return needed ? detail::kept_for(parameter) : at::Tensor(); };
  return {kept(true), kept(momentum > 0), kept(centered)};
}
KOILA_INLINE void rmsprop::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
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
#endif
