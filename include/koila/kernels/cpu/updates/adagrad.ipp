// SPDX-License-Identifier: MIT
// The update of adagrad on the host.
#include <koila/kernels/cpu/elementwise_update.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/updates.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

inline void adagrad_update(const adagrad_settings& o, const at::Tensor& parameter, const at::Tensor& gradient,
                           const at::Tensor& sum) {
  detail::for_each_element(
      parameter, gradient, std::array{sum},
      [decay = o.weight_decay, eps = o.eps, rate = o.rate]<class T>(T& p, T g, std::array<T, 1>& k) {
        if (decay != 0) g += static_cast<T>(decay) * p;
        k[0] += g * g;
        p -= static_cast<T>(rate) * g / (std::sqrt(k[0]) + static_cast<T>(eps));
      });
}
[[gnu::init_priority(
    registered_first)]] inline const host_routine<kernels::adagrad_update, adagrad_update> adagrad_registered;

}  // namespace koila::inline v0::kernels::cpu
