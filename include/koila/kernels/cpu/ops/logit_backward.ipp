// SPDX-License-Identifier: MIT
#pragma once
// logit_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/logit_backward.hpp>

#include <limits>

namespace koila::inline v0::kernels::cpu {

struct logit_backward {
  using attributes = koila::internal::logit_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
    const double eps = a.eps.value;
    const auto of_elements = [eps](auto dy, auto x) {
      using T = decltype(x);
      const T least = eps < 0 ? T{} : static_cast<T>(eps), most = 1 - least;
      if (x < least || x > most) return eps < 0 ? std::numeric_limits<T>::quiet_NaN() : T{};
      return x == 0 || x == 1 ? dy * std::numeric_limits<T>::infinity() : dy / (x * (1 - x));
    };
    if (!detail::each_by_libm(dx, of_elements, dy, x)) koila::internal::logit_backward::evaluate(dx, dy, x, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::logit_backward,
                                                                  logit_backward> logit_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
