// SPDX-License-Identifier: MIT
#pragma once
// moments on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduce.ipp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/kernels/cpu/row_moments.ipp>
#include <koila/ops/internal/moments.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct moments {
  using attributes = koila::internal::moments::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const at::Tensor mean = y.select(0, 0), variance = y.select(0, 1);
    detail::with_floating_type(x.scalar_type(), [&]<class T>(T) {
      const T* const from = detail::data<T>(x);
      auto* const means = static_cast<T*>(mean.mutable_data_ptr());
      auto* const variances = static_cast<T*>(variance.mutable_data_ptr());
      const unsigned over = a.bits(static_cast<int>(x.dim()));
      if (const index_t n = detail::trailing_elements(x, over); n > 0)
        return detail::for_rows(x.numel() / n, n, detail::sums_worth_a_thread, [&](index_t first, index_t rows) {
          detail::call_row_kernel<detail::moments_kernel, T>(from + first * n, rows, n, means + first,
                                                             variances + first);
          // If the sums of a row overflow, the row is computed again in float64, from the
          // differences between its elements and its first element. Sums of large float32 elements
          // overflow even if all elements are equal.
          for (index_t r = first; r < first + rows; ++r) {
            const auto element = static_cast<double>(from[r * n]);
            if (std::isfinite(static_cast<double>(variances[r])) || !std::isfinite(element)) continue;
            const auto m = detail::moments_about<double>(from + r * n, n, element);
            means[r] = detail::rounded<T>(m.centre + m.rest);
            variances[r] = detail::rounded<T>(m.variance);
          }
        });
      const detail::reduction_layout s(x, over);
      s.for_each_result([&](const auto& results) {
        // Sums differences from an approximate mean, and then adds the mean of these differences
        // to the approximate mean. So float32 loses no precision if the mean is large.
        constexpr auto columns_per_block = detail::reduction_layout::columns_per_block;
        const double n = 1 / static_cast<double>(s.reduced());
        const auto write = [&](const double* about, auto computed, auto which) {
          double sum[columns_per_block] = {}, squares[columns_per_block] = {};
          s.add_up(from, results, sum, [](auto v, auto m) { return v - m; }, about, computed);
          s.add_up(from, results, squares, [](auto v, auto m) { return (v - m) * (v - m); }, about, computed);
          bool finite = true;
          for (std::int64_t k = 0; k < results.n; ++k) {
            if (!which(k)) continue;
            const double rest = std::isfinite(about[k]) ? sum[k] * n : 0;
            const double variance = detail::not_below_zero(squares[k] * n - rest * rest);
            means[results.first + k] = detail::rounded<T>(about[k] + rest);
            variances[results.first + k] = detail::rounded<T>(variance);
            finite = finite && std::isfinite(variance);
          }
          return finite;
        };
        double about[columns_per_block] = {};
        s.add_up(from, results, about, [](auto v, auto) { return v; }, about);
        for (std::int64_t k = 0; k < results.n; ++k) about[k] = detail::reduction_layout::centre<T>(about[k] * n);
        if (write(about, detail::reduction_layout::computed<T>{}, [](auto) { return true; }) || s.reduced() == 0)
          return;
        // Some sums overflow. Their results are computed again in float64, from the differences
        // between the elements and the first element, as for the rows above.
        double first[columns_per_block] = {};
        for (std::int64_t k = 0; k < results.n; ++k) first[k] = static_cast<double>(from[results.offset + k]);
        write(first, double{}, [&](std::int64_t k) {
          return std::isfinite(first[k]) && !std::isfinite(static_cast<double>(variances[results.first + k]));
        });
      });
    });
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::moments, moments> moments_registered;

}  // namespace koila::inline v0::kernels::cpu
