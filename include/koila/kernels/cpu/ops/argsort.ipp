// SPDX-License-Identifier: MIT
#pragma once
// argsort on the host.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/reduction/argsort.hpp>

#include <algorithm>
#include <vector>

namespace koila::inline v0::kernels::cpu {

// LibTorch's sort is not used, because LibTorch's sort also writes the sorted values, and
// allocates temporaries for values and indices.
struct argsort {
  using attributes = koila::argsort::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const std::int64_t n = detail::line_length(x, a.dim.value);
    detail::for_dtype(x.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      std::vector<std::pair<T, std::int64_t>> line(static_cast<std::size_t>(n));
      const T* const from = detail::data<T>(x);
      auto* const to = y.mutable_data_ptr<std::int64_t>();
      const auto before = [&](const auto& l, const auto& r) {  // NaN is larger than all numbers
        const bool l_odd = l.first != l.first, r_odd = r.first != r.first;
        return a.descending.value ? (l_odd && !r_odd) || l.first > r.first : (!l_odd && r_odd) || l.first < r.first;
      };
      detail::for_each_line(x, a.dim.value, [&](std::int64_t first, std::int64_t step) {
        std::int64_t i = 0;
        for (auto& e : line) e = {from[first + i * step], i}, ++i;
        std::stable_sort(line.begin(), line.end(), before);
        i = 0;
        for (const auto& e : line) to[first + i++ * step] = e.second;
      });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::argsort, argsort> argsort_registered;

}  // namespace koila::inline v0::kernels::cpu
