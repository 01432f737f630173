// SPDX-License-Identifier: MIT
#pragma once
// Vector loops of the attention kernels over the queries of a block. The queries fill whole
// vectors.
#include <koila/kernels/cpu/brgemm.ipp>
#include <koila/ops/attention/attention_blocks.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/common/elements.ipp>

#include <algorithm>
#include <concepts>
#include <limits>

namespace koila::inline v0::detail {

/// Returns exp(-x) for x >= 0. The result is 0 if exp(-x) is below about 1e-38, and NaN if x is
/// NaN. The last bits are wrong for a large x. This does no harm, because the result is added to
/// the weight of the largest score, which is 1. Small results are set to 0 by a bit mask, because
/// compilers would turn a clamp of x into a branch.
[[gnu::always_inline]] inline auto weight_of(float x) -> float {
  const float rounded = rounded_of<127>(x, -1.44269504F), r = -0.693147181F * integer_of<127>(rounded) - x;
  return float_of(bits_of((slope_of_exp(r) * r + 1.0F) * power_of(rounded)) & (x > 87.0F ? 0U : ~0U));
}
[[gnu::always_inline]] inline auto weight_of(double x) -> double { return __builtin_exp(-x); }

/// Calls f(i) for each query i of a block. `queries` must be a multiple of 16. g++ vectorises an
/// inner loop of 16 iterations even with -O2. clang does not, so clang gets a pragma if `Vectors`
/// is true. `Vectors` must be false if f calls libm, which has no vector functions. With the
/// pragma, clang would warn that it cannot vectorise such a loop.
template <bool Vectors = true, class F>
[[gnu::always_inline]] inline void each_query(index_t queries, F f) {
#ifdef __clang__
  if constexpr (Vectors) {
#pragma clang loop vectorize(assume_safety)
    for (index_t i = 0; i < queries; ++i) inlined(f, i);
  } else {
    for (index_t i = 0; i < queries; ++i) inlined(f, i);
  }
#else
  constexpr index_t side_by_side = 16;
  for (index_t first = 0; first < queries; first += side_by_side)
#pragma GCC ivdep
    for (index_t i = first; i < first + side_by_side; ++i) f(i);
#endif
}

/// The running statistics of softmax for each query of a block. The statistics are the largest
/// score so far, and the sum of exp(score - largest). `largest` starts at the lowest finite
/// number, not at minus infinity. So exp(score - largest) is 0, not NaN, if the score is minus
/// infinity.
template <class T>
struct attention_sums {
  alignas(64) T largest[attention_blocks::most_queries], sum[attention_blocks::most_queries];
  attention_sums() {
    std::fill_n(largest, attention_blocks::most_queries, std::numeric_limits<T>::lowest());
    std::fill_n(sum, attention_blocks::most_queries, T(0));
  }
};

/// Replaces the scores (n, queries) of a block of keys by exp(score - largest), and updates `sums`.
/// The first k + hidden queries do not attend to key k of the block. The kernel also writes a
/// factor for each query to `change`. The caller must multiply its results from earlier blocks of
/// keys by these factors.
template <class T>
struct attention_weights {
  [[gnu::always_inline]] static void run(T* scores, index_t n, index_t queries, index_t hidden, attention_sums<T>* sums,
                                         T* change) {
    with_weights(scores, n, queries, hidden, sums, change,
                 [&](auto weigh) __attribute__((always_inline)) { weigh(index_t{0}, n, scores); });
  }

 protected:
  static constexpr bool by_libm = std::same_as<T, double>;

  /// Calls use(weigh). weigh(first, end, to) writes the weights of keys [first, end) to `to` (end -
  /// first, queries). The ranges for which `use` calls `weigh` must contain each key exactly once.
  template <class F>
  [[gnu::always_inline]] static void with_weights(T* scores, index_t n, index_t queries, index_t hidden,
                                                  attention_sums<T>* sums, T* change, F use) {
    alignas(64) T largest[attention_blocks::most_queries], total[attention_blocks::most_queries];
    each_query(queries, [&](index_t i) { largest[i] = sums->largest[i], total[i] = 0; });
    for (index_t k = 0; k < n; ++k) {
      T* const row = scores + k * queries;
      const index_t none = k + hidden < queries ? k + hidden : queries;
      for (index_t i = 0; i < none; ++i) row[i] = -std::numeric_limits<T>::infinity();
      each_query(queries, [&](index_t i) { largest[i] = largest[i] > row[i] ? largest[i] : row[i]; });
    }
    each_query<!by_libm>(queries, [&](index_t i) { change[i] = weight_of(largest[i] - sums->largest[i]); });
    use([&](index_t first, index_t end, T* to) __attribute__((always_inline)) {
      for (index_t k = first; k < end; ++k, to += queries) {
        const T* const row = scores + k * queries;
        each_query<!by_libm>(queries, [&](index_t i) {
          const T w = weight_of(largest[i] - row[i]);
          to[i] = w;
          total[i] += w;
        });
      }
    });
    each_query(queries, [&](index_t i) {
      sums->sum[i] = sums->sum[i] * change[i] + total[i];
      sums->largest[i] = largest[i];
    });
  }
};

/// Like `attention_weights`, but writes the weights transposed, to `to` (queries, n). The kernel
/// processes 16 keys at a time, because the weights of 16 keys fill whole cache lines of `to` and
/// stay in the L1 cache.
template <class T>
struct attention_transposed_weights : attention_weights<T> {
  [[gnu::always_inline]] static void run(T* scores, index_t n, index_t queries, index_t hidden, attention_sums<T>* sums,
                                         T* change, T* to) {
    constexpr index_t at_once = 16;
    alignas(64) T some[at_once * attention_blocks::most_queries];
    attention_weights<T>::with_weights(scores, n, queries, hidden, sums, change,
                                       [&](auto weigh) __attribute__((always_inline)) {
                                         for (index_t k = 0; k < n; k += at_once) {
                                           const index_t end = n < k + at_once ? n : k + at_once;
                                           weigh(k, end, some);
                                           transpose_block<T>(end - k, queries, {some, queries}, {to + k, n});
                                         }
                                       });
  }
};

/// Multiplies the weights (n, queries) by the `factor` of each query. Then replaces t (n, queries)
/// by weights * (t - off), element by element.
template <class T>
struct attention_slopes {
  [[gnu::always_inline]] static void run(T* weights, T* t, index_t n, index_t queries, const T* factor, const T* off) {
    for (index_t k = 0; k < n; ++k) {
      T *const p = weights + k * queries, *const to = t + k * queries;
      each_query(queries, [=](index_t i) {
        const T w = p[i] * factor[i];
        p[i] = w;
        to[i] = w * (to[i] - off[i]);
      });
    }
  }
};

/// Writes the column sums of a * b to off (queries), where a * b is the element-wise product of a
/// and b, both (n, queries).
template <class T>
struct attention_products {
  [[gnu::always_inline]] static void run(const T* a, const T* b, index_t n, index_t queries, T* off) {
    std::fill_n(off, queries, T(0));
    for (index_t c = 0; c < n; ++c) {
      const T *const x = a + c * queries, *const y = b + c * queries;
      each_query(queries, [=](index_t i) { off[i] += x[i] * y[i]; });
    }
  }
};

/// Multiplies the first n elements of each row r of y by by[r]. The rows start `step` elements
/// apart.
template <class T>
struct attention_rows {
  [[gnu::always_inline]] static void run(T* y, index_t rows, index_t step, index_t n, const T* by) {
    for (index_t r = 0; r < rows; ++r)
      for (index_t i = 0; i < n; ++i) y[r * step + i] *= by[r];
  }
};

}  // namespace koila::inline v0::detail
