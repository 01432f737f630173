// SPDX-License-Identifier: MIT
#pragma once
// ctc on the host.
#include <koila/kernels/cpu/ctc.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/ctc.hpp>

namespace koila::inline v0::kernels::cpu {

struct ctc {
  using attributes = koila::internal::ctc::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& logp, const at::Tensor& target, const at::Tensor& times,
                       const at::Tensor& lengths, const attributes& a) {
    const std::int64_t states = 2 * target.size(1) + 1;
    const auto all = [&](auto zero) {
      using T = decltype(zero);
      const detail::scratch<T> own(2 * states);
      for (std::int64_t n = 0; n < y.numel(); ++n) {
        const detail::ctc_sample<T> sample(logp, target, times, lengths, a, n);
        T *now = own.data(), *before = now + states;
        for (std::int64_t t = 0; t < sample.times; ++t) sample.forward(t, before, now), std::swap(now, before);
        const T loss = sample.loss(before);
        y.mutable_data_ptr<T>()[n] = a.zero_infinity.value && std::isinf(loss) ? T(0) : loss;
      }
    };
    if (y.scalar_type() == at::kDouble) all(double{});
    else all(float{});
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::ctc, ctc> ctc_registered;

}  // namespace koila::inline v0::kernels::cpu
