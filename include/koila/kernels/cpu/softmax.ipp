// SPDX-License-Identifier: MIT
#pragma once
// The kernels of softmax and related ops, along the last dim of contiguous values.
#include <koila/kernels/cpu/row_math.ipp>
#include <koila/torch/dispatch.hpp>

namespace koila::inline v0::detail {

inline constexpr index_t exponentials_worth_a_thread = 4096;  ///< elements for which another thread is worthwhile

/// Returns exp(-x) for x >= 0. The result is 0 if exp(-x) is below about 1e-38, and NaN if x is
/// NaN.
[[gnu::always_inline]] inline auto exp_of_minus_or_zero(float x) -> float { return x > 87.0F ? 0.0F : exp_of_minus(x); }

/// Replaces each element v of t by exp(v - largest), where `largest` is the largest element of v's
/// row. Also writes the `largest` of each row, and the `sum` of the row's new elements.
[[gnu::always_inline]] inline void exponentials_beside(rows_beside& t, index_t n, float* largest, float* sum) {
  for (index_t r = 0; r < rows_at_once; ++r) largest[r] = -__builtin_inff(), sum[r] = 0;
  t.each(n, [=](index_t r, float& v) { largest[r] = larger(v, largest[r]); });
  t.each(n, [=](index_t r, float& v) { v = exp_of_minus_or_zero(largest[r] - v), sum[r] += v; });
}

/// Computes y = exp(x - largest), and returns the sum of y.
[[gnu::always_inline]] inline auto exponentials(const float* x, index_t n, float largest, float* y) -> float {
  const double sum = sum_of_blocks(n, [=](index_t first, index_t here) {
    each_of(here, [=](index_t i) { y[first + i] = exp_of_minus_or_zero(largest - x[first + i]); });
    return sum_of_block(here, [=](index_t i) { return y[first + i]; });
  });
  return static_cast<float>(sum);
}
/// Returns the sum of exp(x - largest).
[[gnu::always_inline]] inline auto sum_of_exponentials(const float* x, index_t n, float largest) -> float {
  alignas(64) float block[row_block];
  const double sum = sum_of_blocks(n, [x, largest, e = &block[0]](index_t first, index_t here) {
    each_of(here, [=](index_t i) { e[i] = exp_of_minus(largest - x[first + i]); });
    return sum_of_block(here, [=](index_t i) { return e[i]; });
  });
  return static_cast<float>(sum);
}

/// y = softmax(x).
struct softmax_kernel {
  static void run(const float* x, index_t rows, index_t n, float* y) {
    if (n > short_row) {
      float largest[rows_at_once], scale[rows_at_once];
      for (index_t r = 0, step = rows_in_step(n); r < rows; r += step) {
        const index_t here = rows - r < step ? rows - r : step;
        for (index_t k = 0; k < here; ++k) largest[k] = largest_of(x + (r + k) * n, n);
        for (index_t k = 0; k < here; ++k) scale[k] = 1 / exponentials(x + (r + k) * n, n, largest[k], y + (r + k) * n);
        for (index_t k = 0; k < here; ++k)
          each_of(n, [to = y + (r + k) * n, by = scale[k]](index_t i) { to[i] *= by; });
      }
      return;
    }
    rows_beside t;
    float largest[rows_at_once], scale[rows_at_once];
    for (index_t r = 0; r < rows; r += rows_at_once) {
      const index_t here = rows - r < rows_at_once ? rows - r : rows_at_once;
      t.load(x + r * n, here, n);
      exponentials_beside(t, n, largest, scale);
      for (index_t k = 0; k < rows_at_once; ++k) scale[k] = 1 / scale[k];
      t.each(n, [&](index_t k, float& v) { v *= scale[k]; });
      t.store(y + r * n, here, n);
    }
  }
};

/// y = log(softmax(x)).
struct log_softmax_kernel {
  static void run(const float* x, index_t rows, index_t n, float* y) {
    if (n > short_row) {
      float largest[rows_at_once], sum[rows_at_once];
      for (index_t r = 0, step = rows_in_step(n); r < rows; r += step) {
        const index_t here = rows - r < step ? rows - r : step;
        for (index_t k = 0; k < here; ++k) largest[k] = largest_of(x + (r + k) * n, n);
        for (index_t k = 0; k < rows_at_once; ++k) sum[k] = 1;
        for (index_t k = 0; k < here; ++k) sum[k] = sum_of_exponentials(x + (r + k) * n, n, largest[k]);
        for (index_t k = 0; k < rows_at_once; ++k) sum[k] = log_of(sum[k]);
        for (index_t k = 0; k < here; ++k) {
          const float* const from = x + (r + k) * n;
          float* const to = y + (r + k) * n;
          each_of(n, [=, most = largest[k], logarithm = sum[k]](index_t i) { to[i] = (from[i] - most) - logarithm; });
        }
      }
      return;
    }
    rows_beside t;
    float largest[rows_at_once], sum[rows_at_once];
    for (index_t r = 0; r < rows; r += rows_at_once) {
      const index_t here = rows - r < rows_at_once ? rows - r : rows_at_once;
      t.load(x + r * n, here, n);
      for (index_t k = 0; k < rows_at_once; ++k) largest[k] = -__builtin_inff(), sum[k] = 0;
      t.each(n, [&](index_t k, float& v) { largest[k] = larger(v, largest[k]); });
      t.each(n, [&](index_t k, float& v) { sum[k] += exp_of_minus(largest[k] - v); });
      for (index_t k = 0; k < rows_at_once; ++k) sum[k] = log_of(sum[k]);
      t.each(n, [&](index_t k, float& v) { v = (v - largest[k]) - sum[k]; });
      t.store(y + r * n, here, n);
    }
  }
};

/// dx = y * (dy - sum(dy * y)), where y = softmax(x).
struct softmax_backward_kernel {
  static void run(const float* dy, const float* y, index_t rows, index_t n, float* dx) {
    for (index_t r = 0; r < rows; ++r) {
      const float *const d = dy + r * n, *const of = y + r * n;
      float* const to = dx + r * n;
      const auto sum = static_cast<float>(sum_of_blocks(n, [=](index_t first, index_t here) {
        return sum_of_block(here, [=](index_t i) { return d[first + i] * of[first + i]; });
      }));
      each_of(n, [=](index_t i) { to[i] = of[i] * (d[i] - sum); });
    }
  }
};

/// dx = dy - exp(y) * sum(dy), where y = log(softmax(x)).
struct log_softmax_backward_kernel {
  static void run(const float* dy, const float* y, index_t rows, index_t n, float* dx) {
    for (index_t r = 0; r < rows; ++r) {
      const float *const d = dy + r * n, *const of = y + r * n;
      float* const to = dx + r * n;
      const auto sum = static_cast<float>(sum_of_blocks(
          n, [=](index_t first, index_t here) { return sum_of_block(here, [=](index_t i) { return d[first + i]; }); }));
      each_of(n, [=](index_t i) { to[i] = d[i] - exp_of_minus_or_zero(-of[i]) * sum; });
    }
  }
};

/// Returns true if the kernels of this file compute y. This is the case if y is contiguous
/// float32 and `dim` is the last dim. The operands must be contiguous too.
inline auto along_rows(const at::Tensor& y, index_t dim) -> bool {
  return y.scalar_type() == at::kFloat && y.dim() > 0 && (dim == -1 || dim == y.dim() - 1) && y.is_contiguous();
}

/// Computes the rows of y from the rows of the operands x by `Kernel`, on LibTorch's threads.
template <class Kernel, class... X>
void softmax_rows(at::Tensor& y, const X&... x) {
  const index_t n = y.size(-1), rows = n == 0 ? 0 : y.numel() / n;
  float* const to = static_cast<float*>(y.mutable_data_ptr());
  for_rows(rows, n, exponentials_worth_a_thread, [&](index_t first, index_t here) {
    functions_of<Kernel, decltype(data<float>(x))..., index_t, index_t, float*>::best()((data<float>(x) + first * n)...,
                                                                                        here, n, to + first * n);
  });
}

/// Calls f(x..., dim, y), which must call LibTorch's operator along a dim of contiguous tensors.
/// This function splits only the dims before `dim` among threads. LibTorch would also split the
/// dims after `dim`. Then the elements left at the end of each part would be rounded differently
/// from the elements in complete vectors. If the tensors are small, or if all extents before `dim`
/// are 1, this function calls the operator once. In the second case LibTorch splits the work.
template <class F, class... X>
void by_operator_along(at::Tensor& y, index_t dim, const F& f, const X&... x) {
  constexpr index_t worth_a_thread = 32768;  // elements
  const index_t d = y.dim() == 0 ? 0 : wrap(dim, static_cast<int>(y.dim())), all = y.numel();
  const index_t outer = c10::multiply_integers(y.sizes().slice(0, static_cast<std::size_t>(d)));
  if (all == 0) return void(f(x..., dim, y));
  const index_t n = y.dim() == 0 ? 1 : y.size(d), inner = all / outer / n;
  if (all <= least_part(worth_a_thread) || outer < 2) {
    if (inner > 1 || d + 1 >= y.dim()) return void(f(x..., dim, y));
    at::Tensor to = y.view({outer, n});  // so that LibTorch uses the same kernel as on several threads
    return void(f(x.view({outer, n})..., 1, to));
  }
  parallel_for(0, outer, std::max<index_t>(1, worth_a_thread / (n * inner)), [&](index_t begin, index_t end) {
    const detail::below_autograd below;  // this state is thread-local
    const auto part_of = [&](const at::Tensor& t) {
      return (inner == 1 ? t.view({outer, n}) : t.view({outer, n, inner})).narrow(0, begin, end - begin);
    };
    at::Tensor to = part_of(y);
    f(part_of(x)..., 1, to);
  });
}

}  // namespace koila::inline v0::detail
