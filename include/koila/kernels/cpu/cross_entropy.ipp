// SPDX-License-Identifier: MIT
#pragma once
// The kernels of softmax_cross_entropy.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/kernels/cpu/labels.ipp>
#include <koila/kernels/cpu/softmax.ipp>

#include <cmath>

namespace koila::inline v0::detail {

/// The rows of x (rows, classes), and one label for each row.
template <class T>
struct labelled_rows {
  const T* x;
  const std::int64_t* label;
  std::int64_t ignored;
  index_t rows, classes;
  labelled_rows(const at::Tensor& scores, const at::Tensor& labels, std::int64_t ignore)
      : x(data<T>(scores)), label(data<std::int64_t>(labels)), ignored(ignore), rows(labels.numel()),
        classes(scores.size(-1)) {}
};

/// Returns the cross entropy of a row, given the row's largest element and the sum of exp(x -
/// largest). Returns 0 if the row's label is ignored.
[[gnu::always_inline]] inline auto cross_entropy_of(const float* x, std::int64_t label, std::int64_t ignored,
                                                    float largest, float sum) -> float {
  return label == ignored ? 0.0F : log_of(sum) + (largest - x[label]);
}

struct cross_entropy_kernel {
  static void run(const float* x, const std::int64_t* label, std::int64_t ignored, index_t rows, index_t n, float* y) {
    const auto put = [=](index_t r, float largest, float sum) {
      y[r] = cross_entropy_of(x + r * n, label[r], ignored, largest, sum);
    };
    if (n > short_row) {
      for (index_t r = 0; r < rows; ++r) {
        const float largest = largest_of(x + r * n, n);
        put(r, largest, sum_of_exponentials(x + r * n, n, largest));
      }
      return;
    }
    rows_beside t;
    float largest[rows_at_once], sum[rows_at_once];
    for (index_t r = 0; r < rows; r += rows_at_once) {
      const index_t here = rows - r < rows_at_once ? rows - r : rows_at_once;
      t.load(x + r * n, here, n);
      exponentials_beside(t, n, largest, sum);
      for (index_t k = 0; k < here; ++k) put(r + k, largest[k], sum[k]);
    }
  }
};

/// Computes dx, and also y (the cross entropies) if y is not null.
struct cross_entropy_backward_kernel {
  static void run(const float* dy, const float* x, const std::int64_t* label, std::int64_t ignored, index_t rows,
                  index_t n, float* dx, float* y) {
    const auto put = [=](index_t r, float largest, float sum) {
      if (y != nullptr) y[r] = cross_entropy_of(x + r * n, label[r], ignored, largest, sum);
    };
    const auto less_label = [=](index_t r) {
      if (label[r] == ignored) __builtin_memset(dx + r * n, 0, static_cast<std::size_t>(n) * sizeof(float));
      else dx[r * n + label[r]] -= dy[r];
    };
    if (n > short_row) {
      for (index_t r = 0; r < rows; ++r) {
        float* const to = dx + r * n;
        const float largest = largest_of(x + r * n, n), sum = exponentials(x + r * n, n, largest, to),
                    scale = dy[r] / sum;
        put(r, largest, sum);
        each_of(n, [=](index_t i) { to[i] *= scale; });
        less_label(r);
      }
      return;
    }
    rows_beside t;
    float largest[rows_at_once], sum[rows_at_once], scale[rows_at_once] = {};
    for (index_t r = 0; r < rows; r += rows_at_once) {
      const index_t here = rows - r < rows_at_once ? rows - r : rows_at_once;
      t.load(x + r * n, here, n);
      exponentials_beside(t, n, largest, sum);
      for (index_t k = 0; k < here; ++k) scale[k] = dy[r + k] / sum[k];
      for (index_t k = 0; k < here; ++k) put(r + k, largest[k], sum[k]);
      t.each(n, [&](index_t k, float& v) { v *= scale[k]; });
      t.store(dx + r * n, here, n);
      for (index_t k = 0; k < here; ++k) less_label(r + k);
    }
  }
};

/// Returns the largest element of a row, and the sum of exp(x - largest), both by libm in float64.
/// Used for types other than float32.
template <class T>
auto largest_and_sum(const T* x, index_t n) -> std::pair<double, double> {
  double largest = -INFINITY, sum = 0;
  for (index_t i = 0; i < n; ++i) largest = std::max(largest, static_cast<double>(x[i]));
  for (index_t i = 0; i < n; ++i) sum += std::exp(static_cast<double>(x[i]) - largest);
  return {largest, sum};
}
template <class T>
auto cross_entropy_of(const T* x, std::int64_t label, double largest, double sum) -> T {
  return rounded<T>(std::log(sum) + (largest - static_cast<double>(x[label])));
}

/// Computes y (rows), the cross entropy of each row. Where the row's label is ignored, y is 0.
/// Every label must be a class or the ignored label.
template <class T>
void cross_entropy_of_rows(const labelled_rows<T>& l, T* y) {
  for_rows(l.rows, l.classes, exponentials_worth_a_thread, [&](index_t first, index_t rows) {
    const T* const x = l.x + first * l.classes;
    const std::int64_t* const label = l.label + first;
    if constexpr (std::is_same_v<T, float>) {
      using functions =
          functions_of<cross_entropy_kernel, const float*, const std::int64_t*, std::int64_t, index_t, index_t, float*>;
      return functions::best()(x, label, l.ignored, rows, l.classes, y + first);
    } else {
      for (index_t r = 0; r < rows; ++r) {
        const T* const row = x + r * l.classes;
        if (label[r] == l.ignored) {
          y[first + r] = T(0);
          continue;
        }
        const auto [largest, sum] = largest_and_sum(row, l.classes);
        y[first + r] = cross_entropy_of(row, label[r], largest, sum);
      }
    }
  });
}

/// Computes dx (rows, classes), which is dy * (softmax(x) - one_hot(label)). In rows whose label is
/// ignored, dx is 0. Also computes y (rows) if y is not null.
template <class T>
void cross_entropy_backward_of_rows(const labelled_rows<T>& l, const T* dy, T* dx, T* y) {
  for_rows(l.rows, l.classes, exponentials_worth_a_thread, [&](index_t first, index_t rows) {
    const index_t n = l.classes;
    const T* const x = l.x + first * n;
    const std::int64_t* const label = l.label + first;
    T* const to = dx + first * n;
    if constexpr (std::is_same_v<T, float>) {
      using functions = functions_of<cross_entropy_backward_kernel, const float*, const float*, const std::int64_t*,
                                     std::int64_t, index_t, index_t, float*, float*>;
      return functions::best()(dy + first, x, label, l.ignored, rows, n, to, y != nullptr ? y + first : nullptr);
    } else {
      for (index_t r = 0; r < rows; ++r) {
        const bool counts = label[r] != l.ignored;
        const auto d = static_cast<double>(dy[first + r]);
        const auto [largest, sum] = counts ? largest_and_sum(x + r * n, n) : std::pair{0.0, 1.0};
        if (y != nullptr) y[first + r] = counts ? cross_entropy_of(x + r * n, label[r], largest, sum) : T(0);
        for (index_t c = 0; c < n; ++c) {
          const double p =
              counts ? std::exp(static_cast<double>(x[r * n + c]) - largest) / sum - (c == label[r] ? 1 : 0) : 0;
          to[r * n + c] = counts ? rounded<T>(d * p) : T(0);
        }
      }
    }
  });
}

/// Computes dx, and y if y is not null, on the host. Throws c10::IndexError if a label is out of
/// range and not ignored.
inline void pull_cross_entropy_back(at::Tensor& dx, at::Tensor* y, const at::Tensor& dy, const at::Tensor& x,
                                    const at::Tensor& label, const label_attributes& a) {
  for_each_label(label, x.size(-1), a, [](std::int64_t, std::int64_t) {});
  with_floating_type(x.scalar_type(), [&]<class T>(T) {
    const labelled_rows<T> rows{x, label, a.ignore_index.value};
    cross_entropy_backward_of_rows(rows, data<T>(dy), static_cast<T*>(dx.mutable_data_ptr()),
                                   y != nullptr ? static_cast<T*>(y->mutable_data_ptr()) : nullptr);
  });
}

}  // namespace koila::inline v0::detail
