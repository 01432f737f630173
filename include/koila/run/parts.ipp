// SPDX-License-Identifier: MIT
// How the parts of a partial, one for each chunk, are combined.
#include <koila/kernels/cpu/copies.ipp>
#include <koila/kernels/cpu/host.hpp>

#include <ATen/ops/maximum_ops.h>
#include <ATen/ops/minimum_ops.h>

#include <cmath>

namespace koila::detail {

/// Combines a chunk's part with the total of the samples before it. LibTorch's operators would
/// first copy the part to the total's dtype. `share`: the chunk's fraction of all samples so far.
template <class T, class Total>
void put_in_total(at::Tensor& total, const at::Tensor& part, monoid m, double share) {
  auto* const y = static_cast<Total*>(total.mutable_data_ptr());
  const T* const x = data<T>(part);
  const std::int64_t n = total.numel();
  const auto update = [&](auto f) {
    parallel_for(0, n, 1 << 15, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) y[i] = f(y[i], static_cast<Total>(x[i]));
    });
  };
  if (m == monoid::sum) update([](Total a, Total b) { return a + b; });
  else if (m == monoid::prod) update([](Total a, Total b) { return a * b; });
  else  // moments: the means, then the variances (Chan, Golub and LeVeque 1979)
    for (std::int64_t i = 0; i < n / 2; ++i) {
      const Total off = static_cast<Total>(x[i]) - y[i], s = static_cast<Total>(share);
      y[i] += off * s;
      y[i + n / 2] = y[i + n / 2] * (1 - s) + static_cast<Total>(x[i + n / 2]) * s + off * off * s * (1 - s);
    }
}
void combine_in_total(at::Tensor& total, const at::Tensor& part, monoid m, double share) {
  if (!on_host(part)) {
    if (m == monoid::sum) return void(total.add_(part));
    if (m == monoid::prod) return void(total.mul_(part));
    at::Tensor mean = total.select(0, 0), variance = total.select(0, 1);
    const at::Tensor off = part.select(0, 0).sub(mean);
    mean.add_(off, share);
    variance.mul_(1 - share).add_(part.select(0, 1), share).add_(off.square(), share * (1 - share));
    return;
  }
  // The total is float64, or float32 for sums and products of 16 bits: see total_type.
  const auto put = [&](auto zero) {
    using T = decltype(zero);
    if (total.scalar_type() == at::kDouble) put_in_total<T, double>(total, part, m, share);
    else put_in_total<T, float>(total, part, m, share);
  };
  switch (part.scalar_type()) {
    case at::kHalf: return put(at::Half());
    case at::kBFloat16: return put(at::BFloat16());
    case at::kFloat: return put(0.0F);
    default: return put(0.0);
  }
}

/// Adds a part to a sum, and the rounding error of this addition to `lost` (Neumaier 1974). On
/// devices other than the host it ignores the error, because LibTorch's operators would need
/// temporaries.
void add_compensated(at::Tensor& sum, at::Tensor& lost, const at::Tensor& part) {
  if (!on_host(sum)) return void(sum.add_(part));
  parallel_for(0, sum.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
    auto* const y = static_cast<float*>(sum.mutable_data_ptr());
    auto* const rest = static_cast<float*>(lost.mutable_data_ptr());
    const float* const x = data<float>(part);
    for (std::int64_t i = begin; i < end; ++i) {
      const float before = y[i], after = before + x[i];
      const bool larger = std::abs(before) >= std::abs(x[i]);
      rest[i] += ((larger ? before : x[i]) - after) + (larger ? x[i] : before);
      y[i] = after;
    }
  });
}
/// Adds the rounding errors to a sum. It skips elements whose error is not finite, because their
/// sum is infinite.
void add_lost(at::Tensor& sum, const at::Tensor& lost) {
  if (!on_host(sum)) return;
  auto* const y = static_cast<float*>(sum.mutable_data_ptr());
  const float* const rest = data<float>(lost);
  for (std::int64_t i = 0, n = sum.numel(); i < n; ++i)
    if (std::isfinite(rest[i])) y[i] += rest[i];
}

/// Combines a chunk's part with a partial.
void combine(at::Tensor& y, const at::Tensor& part, monoid m) {
  switch (m) {
    case monoid::sum: y.add_(part); return;
    case monoid::prod: y.mul_(part); return;
    case monoid::max: at::_ops::maximum_out::call(y, part, y); return;
    case monoid::min: at::_ops::minimum_out::call(y, part, y); return;
    default: break;
  }
}

}  // namespace koila::detail
