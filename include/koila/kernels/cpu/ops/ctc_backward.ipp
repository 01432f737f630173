// SPDX-License-Identifier: MIT
#pragma once
// ctc_backward on the host.
#include <koila/kernels/cpu/ctc.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/ctc_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct ctc_backward {
  using attributes = koila::internal::ctc_backward::attributes;
  static void evaluate(at::Tensor& dlogp, const at::Tensor& dy, const at::Tensor& logp, const at::Tensor& target,
                       const at::Tensor& times, const at::Tensor& lengths, const attributes& a) {
    const std::int64_t states = 2 * target.size(1) + 1, classes = logp.size(2);
    dlogp.zero_();
    const auto all = [&](auto zero) {
      using T = decltype(zero);
      const detail::scratch<T> own((logp.size(0) + 2) * states);
      for (std::int64_t n = 0; n < dy.numel(); ++n) {
        const detail::ctc_sample<T> x(logp, target, times, lengths, a, n);
        T *now = own.data(), *after = now + states, *const ways = after + states;  // (time, states)
        for (std::int64_t t = 0; t < x.times; ++t) x.forward(t, ways + (t - 1) * states, ways + t * states);
        const T loss = x.loss(ways + (x.times - 1) * states), g = detail::data<T>(dy)[n];
        if (a.zero_infinity.value && std::isinf(loss)) continue;
        for (std::int64_t t = x.times - 1; t >= 0; --t, std::swap(now, after)) {
          x.backward(t, after, now);
          T* const row = dlogp.mutable_data_ptr<T>() + t * x.step + n * classes;
          std::fill(row, row + classes, x.none);
          for (std::int64_t s = 0; s < x.states(); ++s)
            row[x.label(s)] = x.log_sum(row[x.label(s)], ways[t * states + s] + now[s]);
          for (std::int64_t c = 0; c < classes; ++c) {
            const T lp = x.logp[t * x.step + c];
            row[c] = (std::exp(lp) - std::exp(row[c] + loss - lp)) * g;
          }
        }
      }
    };
    if (logp.scalar_type() == at::kDouble) all(double{});
    else all(float{});
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::ctc_backward, ctc_backward>
    ctc_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
