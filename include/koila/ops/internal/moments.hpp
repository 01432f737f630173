#pragma once
// moments: mean and variance in one pass.
#include <koila/ops/indexing/select.hpp>
#include <koila/ops/internal/centred_affine.hpp>
#include <koila/ops/internal/inverse_count.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila {

/// (..., n, ...) -> (2, ..., 1, ...): the means over the dims `dim`, or over all, then the
/// variances (divided by n, not n - 1). The reduced dims stay with extent 1. Over the batch, both
/// are those of the whole batch, in one pass over its chunks. Normalisations expand to this op.
inline constexpr struct moments : op<moments, 1> {
  static constexpr std::string_view name = "moments";
  struct attributes : reduction_attributes {
    constexpr attributes() { keepdim = true; }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    if (x.rank >= dims::capacity) return reason::too_many_dimensions;
    const verdict v = rules::reduce(x, kept(a), x.type);
    if (!v.accepted() || !v.out.ranked()) return v;
    dims out = open_dims(v.out.rank + 1, x.type);
    out.e[0] = extent{2};
    for (int d = 0; d < v.out.rank; ++d) out.e[d + 1] = v.out.e[d];
    return out;
  }
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    relations f = flows::reduced(x, a.bits(x.dims.rank), true, monoid::moments);
    if (f.out.sampled()) ++f.out.axis;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& out) -> work {
    return {4.0 * static_cast<double>(x.count()), static_cast<double>(2 * x.bytes() + out.bytes()), 0};
  }
  static void evaluate(out y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& x, const attributes& a) {
    const auto part = [](const auto& v, index_t k) { return ops::select(v, attr<index_t>(0), attr<index_t>(k)); };
    const auto n = inverse_count(x, koila::dim = a.dim);
    return gradients(centred_affine(x, part(y, 0), mul(mul(part(dy, 1), n), 2), mul(part(dy, 0), n)));
  }

 private:
  static constexpr auto kept(attributes a) -> reduction_attributes {
    a.keepdim = true;
    return a;
  }
} moments;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/reduce.ipp>
#include <koila/ops/family/reduction.ipp>
#include <koila/ops/family/row_moments.ipp>

#include <ATen/ops/var_mean_ops.h>

#include <cmath>

namespace koila {

inline void moments::evaluate(out y, const at::Tensor& x, const attributes& a) {
  const at::Tensor mean = y.select(0, 0), variance = y.select(0, 1);
  if (!detail::on_host(y)) {
    const auto [v, m] = at::_ops::var_mean_correction::call(x, detail::reduced_dims(a, x).given(), 0, true);
    mean.copy_(m.view(mean.sizes()));
    variance.copy_(v.view(variance.sizes()));
    return;
  }
  detail::for_floating(x.scalar_type(), [&]<class T>(T) {
    const T* const from = detail::data<T>(x);
    auto* const means = static_cast<T*>(mean.mutable_data_ptr());
    auto* const variances = static_cast<T*>(variance.mutable_data_ptr());
    const unsigned over = a.bits(static_cast<int>(x.dim()));
    if (const index_t n = detail::trailing_elements(x, over); n > 0)
      return detail::for_rows(x.numel() / n, n, detail::sums_worth_a_thread, [&](index_t first, index_t rows) {
        detail::call_row_kernel<detail::moments_kernel, T>(from + first * n, rows, n, means + first, variances + first);
        // Rows whose sums overflow are computed again in float64, about their first element. The
        // sums of float32 do so if the elements are large, even if they are equal.
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
      // Sums differences from an approximate mean, then corrects it by their own mean. So float32
      // loses no precision if the mean is large.
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
      if (write(about, detail::reduction_layout::computed<T>{}, [](auto) { return true; }) || s.reduced() == 0) return;
      // Some sums overflow. As for rows, these are computed again, about the first element.
      double first[columns_per_block] = {};
      for (std::int64_t k = 0; k < results.n; ++k) first[k] = static_cast<double>(from[results.at + k]);
      write(first, double{}, [&](std::int64_t k) {
        return std::isfinite(first[k]) && !std::isfinite(static_cast<double>(variances[results.first + k]));
      });
    });
  });
}

}  // namespace koila
#endif
