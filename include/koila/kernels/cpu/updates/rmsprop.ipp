// SPDX-License-Identifier: MIT
// The update of rmsprop on the host.
#include <koila/kernels/cpu/elementwise_update.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/updates.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

inline void rmsprop_update(const rmsprop_settings& settings, const at::Tensor& parameter, const at::Tensor& gradient,
                           const at::Tensor& square_avg, const at::Tensor& momentum_buffer,
                           const at::Tensor& grad_avg) {
  const auto update = [&]<bool Momentum, bool Centered>(const auto&... kept) {
    detail::for_each_element(parameter, gradient, std::array{square_avg, kept...},
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
  const bool centered = grad_avg.defined();
  if (momentum_buffer.defined() && centered) update.template operator()<true, true>(momentum_buffer, grad_avg);
  else if (momentum_buffer.defined()) update.template operator()<true, false>(momentum_buffer);
  else if (centered) update.template operator()<false, true>(grad_avg);
  else update.template operator()<false, false>();
}
[[gnu::init_priority(
    registered_first)]] inline const host_routine<kernels::rmsprop_update, rmsprop_update> rmsprop_registered;

}  // namespace koila::inline v0::kernels::cpu
