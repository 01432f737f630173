// SPDX-License-Identifier: MIT
// The update of adam and adamw on the host.
#include <koila/kernels/cpu/elementwise_update.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/updates.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

template <bool Decoupled>
void adam_update_of(const adam_settings& o, const at::Tensor& parameter, const at::Tensor& gradient,
                    const at::Tensor& exp_avg, const at::Tensor& exp_avg_sq, const at::Tensor& max_exp_avg_sq) {
  const auto update = [decay = Decoupled ? 1 - o.lr * o.weight_decay : o.weight_decay, first = o.beta1,
                       second = o.beta2, eps = o.eps, size = o.step_size,
                       root = o.root]<class T, std::size_t N>(T& p, T g, std::array<T, N>& k) {
    if constexpr (Decoupled) p *= static_cast<T>(decay);
    else if (decay != 0) g += static_cast<T>(decay) * p;
    k[0] = static_cast<T>(first) * k[0] + static_cast<T>(1 - first) * g;
    k[1] = static_cast<T>(second) * k[1] + static_cast<T>(1 - second) * g * g;
    if constexpr (N == 3) k[2] = k[1] > k[2] ? k[1] : k[2];
    p -= static_cast<T>(size) * k[0] / (std::sqrt(k[N - 1]) / static_cast<T>(root) + static_cast<T>(eps));
  };
  if (max_exp_avg_sq.defined())
    detail::for_each_element(parameter, gradient, std::array{exp_avg, exp_avg_sq, max_exp_avg_sq}, update);
  else detail::for_each_element(parameter, gradient, std::array{exp_avg, exp_avg_sq}, update);
}
inline void adam_update(const adam_settings& o, const at::Tensor& parameter, const at::Tensor& gradient,
                        const at::Tensor& exp_avg, const at::Tensor& exp_avg_sq, const at::Tensor& max_exp_avg_sq) {
  const auto update = o.decoupled ? adam_update_of<true> : adam_update_of<false>;
  update(o, parameter, gradient, exp_avg, exp_avg_sq, max_exp_avg_sq);
}
[[gnu::init_priority(registered_first)]] inline const host_routine<kernels::adam_update, adam_update> adam_registered;

}  // namespace koila::inline v0::kernels::cpu
