// SPDX-License-Identifier: MIT
#pragma once
// The kernels of layer_norm, which normalise rows to mean 0 and variance 1, and the kernels of its
// gradients. The kernels of the gradients compute mean and variance again, because no kernel stores
// them. A kernel reads each row several times. Meanwhile the row stays in a core's caches.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/kernels/cpu/row_moments.ipp>
#include <koila/kernels/cpu/scratch.ipp>
#include <koila/ops/normalization/layer_norm_base.hpp>

namespace koila::inline v0::detail {

/// The rows that are normalised: x (rows, n).
template <class T>
struct normalised_rows {
  const T* x;
  index_t rows, n;
  double eps;
};
template <class T>
auto rows_of(const at::Tensor& x, const at::Tensor& w, double eps) -> normalised_rows<T> {
  return {data<T>(x), w.numel() == 0 ? 0 : x.numel() / w.numel(), w.numel(), eps};
}

/// The function that normalises an element to mean 0 and variance 1. The mean is centre + rest.
template <class C>
struct standardising {
  C centre, rest, scale;
  [[gnu::always_inline]] auto operator()(C v) const -> C { return ((v - centre) - rest) * scale; }
};
/// Computes the functions that normalise `rows` rows. All rows are processed in step, see
/// rows_in_step.
template <class C, class T>
[[gnu::always_inline]] inline void standardisings_of(const T* x, index_t rows, index_t n, double eps,
                                                     standardising<C>* f) {
  for (index_t k = 0; k < rows; ++k) f[k].centre = centre_of_row<C>(x + k * n, n);
  for (index_t k = 0; k < rows; ++k) {
    const row_moments<C> m = moments_about<C>(x + k * n, n, f[k].centre);
    f[k] = {m.centre, static_cast<C>(m.rest), static_cast<C>(1 / __builtin_sqrt(m.variance + eps))};
  }
}

template <class C, class T>
struct normalise_kernel {
  static void run(const normalised_rows<T>* all, index_t first, index_t rows, const T* w, const T* b, T* y) {
    const index_t n = all->n, end = first + rows, step = rows_in_step(n);
    standardising<C> f[rows_at_once];
    for (index_t r = first; r < end; r += step) {
      const index_t here = end - r < step ? end - r : step;
      standardisings_of(all->x + r * n, here, n, all->eps, f);
      for (index_t k = 0; k < here; ++k) {
        const T* const x = all->x + (r + k) * n;
        T* const to = y + (r + k) * n;
        each_of(n, [=, by = f[k]](index_t i) {
          to[i] = static_cast<T>(by(static_cast<C>(x[i])) * static_cast<C>(w[i]) + static_cast<C>(b[i]));
        });
      }
    }
  }
};

template <class C, class T>
struct normalise_backward_kernel {
  static void run(const normalised_rows<T>* all, index_t first, index_t rows, const T* dy, const T* w, T* dx) {
    const index_t n = all->n, end = first + rows, step = rows_in_step(n);
    standardising<C> f[rows_at_once];
    C mean[rows_at_once], slope[rows_at_once];
    for (index_t r = first; r < end; r += step) {
      const index_t here = end - r < step ? end - r : step;
      standardisings_of(all->x + r * n, here, n, all->eps, f);
      const auto each_row = [&](auto use) __attribute__((always_inline)) {
        for (index_t k = 0; k < here; ++k) {
          const T *const x = all->x + (r + k) * n, *const d = dy + (r + k) * n;
          inlined(
              use, k, [=](index_t i) { return static_cast<C>(d[i]) * static_cast<C>(w[i]); },
              [=, by = f[k]](index_t i) { return by(static_cast<C>(x[i])); });
        }
      };
      each_row([&](index_t k, auto g, auto y) {
        const auto [sum, product] = two_sums_of_blocks(n, [=](index_t from, index_t many) {
          return sums_of_block(
              many, [=](index_t i) { return g(from + i); }, [=](index_t i) { return g(from + i) * y(from + i); });
        });
        mean[k] = static_cast<C>(sum / static_cast<double>(n)),
        slope[k] = static_cast<C>(product / static_cast<double>(n));
      });
      each_row([&](index_t k, auto g, auto y) {
        T* const to = dx + (r + k) * n;
        each_of(n, [=, scale = f[k].scale, m = mean[k], s = slope[k]](index_t i) {
          to[i] = static_cast<T>(scale * (g(i) - m - y(i) * s));
        });
      });
    }
  }
};

/// Computes sums (2, n): the sums over `rows` rows of dy * y, where y is the normalised x, and the
/// sums over these rows of dy.
template <class C, class T>
struct sum_normalised_kernel {
  static void run(const normalised_rows<T>* all, index_t first, index_t rows, const T* dy, double* sums) {
    // `rows_per_sum` rows are summed in type C; these sums are added in float64. `width` is so
    // large that most rows are read from their first to their last element, so that the processor
    // prefetches them.
    constexpr index_t rows_per_sum = 32, width = 1024;
    const index_t n = all->n, step = rows_in_step(n);
    standardising<C> f[rows_per_sum];
    C of_y[width], of_dy[width];
    for (index_t i = 0; i < 2 * n; ++i) sums[i] = 0;
    for (index_t r = first; r < first + rows; r += rows_per_sum) {
      const index_t here = first + rows - r < rows_per_sum ? first + rows - r : rows_per_sum;
      for (index_t j = 0; j < n; j += width) {
        const index_t columns = n - j < width ? n - j : width;
        for (index_t i = 0; i < columns; ++i) of_y[i] = 0, of_dy[i] = 0;
        const auto add = [&]<index_t Rows>(index_t k, std::integral_constant<index_t, Rows>)
                             __attribute__((always_inline)) {
                               const T *const x = all->x + (r + k) * n + j, *const d = dy + (r + k) * n + j;
                               each_of(columns, [&](index_t i) {
                                 C y_here = of_y[i], dy_here = of_dy[i];
#pragma GCC unroll 4
                                 for (index_t q = 0; q < Rows; ++q) {
                                   y_here += static_cast<C>(d[q * n + i]) * f[k + q](static_cast<C>(x[q * n + i]));
                                   dy_here += static_cast<C>(d[q * n + i]);
                                 }
                                 of_y[i] = y_here, of_dy[i] = dy_here;
                               });
                             };
        for (index_t from = 0; from < here; from += step) {
          const index_t to = here - from < step ? here : from + step;
          if (j == 0) standardisings_of(all->x + (r + from) * n, to - from, n, all->eps, f + from);
          index_t k = from;
          for (; k + 4 <= to; k += 4) add(k, std::integral_constant<index_t, 4>{});
          for (; k < to; ++k) add(k, std::integral_constant<index_t, 1>{});
        }
        for (index_t i = 0; i < columns; ++i) {
          sums[j + i] += static_cast<double>(of_y[i]);
          sums[n + j + i] += static_cast<double>(of_dy[i]);
        }
      }
    }
  }
};

template <class T>
void normalise_rows(const normalised_rows<T>& x, const T* w, const T* b, T* y) {
  for_rows(x.rows, x.n, sums_worth_a_thread,
           [&](index_t first, index_t rows) { call_row_kernel<normalise_kernel, T>(&x, first, rows, w, b, y); });
}

/// Returns the rows of one tile, for fused kernels that include layer_norm.
template <class T>
auto rows_of_tile(const void* x, const void* attributes, index_t n) -> normalised_rows<T> {
  const auto& row = *static_cast<const row_attributes*>(attributes);
  return {static_cast<const T*>(x), n / row.row_length, row.row_length,
          static_cast<const layer_norm_attributes*>(row.attributes)->eps.value};
}
template <class T>
void normalise_tile(void* y, const void* const* operands, const void* attributes, index_t n) {
  const normalised_rows<T> x = rows_of_tile<T>(operands[0], attributes, n);
  call_row_kernel<normalise_kernel, T>(&x, index_t{0}, x.rows, static_cast<const T*>(operands[1]),
                                       static_cast<const T*>(operands[2]), static_cast<T*>(y));
}
template <class T>
void normalise_rows_backward(const normalised_rows<T>& x, const T* dy, const T* w, T* dx) {
  for_rows(x.rows, x.n, sums_worth_a_thread, [&](index_t first, index_t rows) {
    call_row_kernel<normalise_backward_kernel, T>(&x, first, rows, dy, w, dx);
  });
}

/// Computes y (2, n): the sums over all rows of dy * y', where y' is the normalised x, and the sums
/// over all rows of dy. The rows are summed in `parts` parts. `sums` must have room for 2 * n
/// numbers for each part.
template <class T>
void sum_normalised_rows(const normalised_rows<T>& x, const T* dy, index_t parts, double* sums, T* y) {
  parallel_for(0, parts, 1, [&](index_t begin, index_t end) {
    for (index_t p = begin; p < end; ++p) {
      const index_t first = x.rows * p / parts, last = x.rows * (p + 1) / parts;
      call_row_kernel<sum_normalised_kernel, T>(&x, first, last - first, dy, sums + p * 2 * x.n);
    }
  });
  for (index_t i = 0; i < 2 * x.n; ++i) {
    double sum = 0;
    for (index_t p = 0; p < parts; ++p) sum += sums[p * 2 * x.n + i];
    y[i] = rounded<T>(sum);
  }
}

}  // namespace koila::inline v0::detail
