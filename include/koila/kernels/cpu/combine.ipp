// SPDX-License-Identifier: MIT
// Combines the parts of partial values on the host.
#include <koila/kernels/combine.hpp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/torch/parallel.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

template <class T, class Total>
void put_in_accumulator(at::Tensor& accumulator, const at::Tensor& part, monoid m, double share) {
  auto* const y = static_cast<Total*>(accumulator.mutable_data_ptr());
  const T* const x = detail::data<T>(part);
  const std::int64_t n = accumulator.numel();
  const auto update = [&](auto f) {
    detail::parallel_for(0, n, 1 << 15, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) y[i] = f(y[i], static_cast<Total>(x[i]));
    });
  };
  if (m == monoid::sum) update([](Total a, Total b) { return a + b; });
  else if (m == monoid::prod) update([](Total a, Total b) { return a * b; });
  else  // moments: n / 2 means, followed by n / 2 variances (Chan, Golub and LeVeque 1979)
    for (std::int64_t i = 0; i < n / 2; ++i) {
      const Total off = static_cast<Total>(x[i]) - y[i], s = static_cast<Total>(share);
      y[i] += off * s;
      y[i + n / 2] = y[i + n / 2] * (1 - s) + static_cast<Total>(x[i + n / 2]) * s + off * off * s * (1 - s);
    }
}
inline void combine_in_accumulator(at::Tensor& accumulator, const at::Tensor& part, monoid m, double share) {
  // The accumulator is float64, or float32 for sums and products of 16-bit dtypes, see total_type.
  const auto put = [&](auto zero) {
    using T = decltype(zero);
    if (accumulator.scalar_type() == at::kDouble) put_in_accumulator<T, double>(accumulator, part, m, share);
    else put_in_accumulator<T, float>(accumulator, part, m, share);
  };
  switch (part.scalar_type()) {
    case at::kHalf: return put(at::Half());
    case at::kBFloat16: return put(at::BFloat16());
    case at::kFloat: return put(0.0F);
    default: return put(0.0);
  }
}

inline void add_compensated(at::Tensor& sum, at::Tensor& compensation, const at::Tensor& part) {
  detail::parallel_for(0, sum.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
    auto* const y = static_cast<float*>(sum.mutable_data_ptr());
    auto* const rest = static_cast<float*>(compensation.mutable_data_ptr());
    const float* const x = detail::data<float>(part);
    for (std::int64_t i = begin; i < end; ++i) {
      const float before = y[i], after = before + x[i];
      const bool larger = std::abs(before) >= std::abs(x[i]);
      rest[i] += ((larger ? before : x[i]) - after) + (larger ? x[i] : before);
      y[i] = after;
    }
  });
}
inline void add_compensation(at::Tensor& sum, const at::Tensor& compensation) {
  auto* const y = static_cast<float*>(sum.mutable_data_ptr());
  const float* const rest = detail::data<float>(compensation);
  for (std::int64_t i = 0, n = sum.numel(); i < n; ++i)
    if (std::isfinite(rest[i])) y[i] += rest[i];
}

[[gnu::init_priority(
    registered_first)]] inline const host_routine<kernels::combine_in_accumulator, combine_in_accumulator>
    combine_in_accumulator_registered;
[[gnu::init_priority(
    registered_first)]] inline const host_routine<kernels::add_compensated, add_compensated> add_compensated_registered;
[[gnu::init_priority(registered_first)]] inline const host_routine<kernels::add_compensation, add_compensation>
    add_compensation_registered;

}  // namespace koila::inline v0::kernels::cpu
