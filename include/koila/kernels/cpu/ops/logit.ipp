// SPDX-License-Identifier: MIT
#pragma once
// logit on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/logit.hpp>

#include <cmath>
#include <limits>

namespace koila::inline v0::kernels::cpu {

struct logit {
  using attributes = koila::logit::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const double eps = a.eps.value;
    const auto of_elements = [eps](auto x) {
      using T = decltype(x);
      if (eps < 0) return x == 1 ? std::numeric_limits<T>::infinity() : std::log(x / (1 - x));
      const T least = static_cast<T>(eps), most = 1 - least, z = x < least ? least : x > most ? most : x;
      return std::log(z / (1 - z));
    };
    if (!detail::each_by_libm(y, of_elements, x)) koila::logit::evaluate(y, x, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::logit, logit> logit_registered;

}  // namespace koila::inline v0::kernels::cpu
