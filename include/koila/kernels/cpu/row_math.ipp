// SPDX-License-Identifier: MIT
#pragma once
// Shared by kernels that process rows of float32 elements. instructions.ipp describes how kernels
// are compiled. Long rows are processed one by one, in blocks. Several short rows are processed at
// once, side by side.
#include <koila/kernels/cpu/brgemm.ipp>
#include <koila/ops/common/elements.ipp>
#include <koila/torch/parallel.hpp>

namespace koila::inline v0::detail {

inline constexpr index_t row_lanes = 32;  ///< the number of partial results of a row that is reduced
inline constexpr index_t row_block = 1024;  ///< elements of a block, which stays in L1 cache and is summed in float32
inline constexpr index_t rows_at_once = 16;  ///< short rows that are processed side by side
inline constexpr index_t short_row = 48;  ///< elements of the longest short row

/// Returns the number of long rows that are processed in step. This means that a kernel computes
/// each stage for all of these rows before it begins the next stage, so that the processor does not
/// wait for the sums of one row. All of these rows stay in the L1 cache together.
constexpr auto rows_in_step(index_t n) -> index_t {
  constexpr index_t elements = 4096;
  return n * rows_at_once <= elements ? rows_at_once : n < elements ? elements / n : 1;
}

/// Combines all lanes by f. Each step halves the number of lanes. The float32 version uses explicit
/// vectors, because compilers turn plain loops into a chain of scalar operations here.
template <index_t N = row_lanes, class C, class F>
[[gnu::always_inline]] inline auto reduce_lanes(C* lane, F f) -> C {
  if constexpr (N == 1) {
    return lane[0];
  } else if constexpr (std::same_as<C, float> && N == 4) {
    const four_floats v = *reinterpret_cast<const four_floats*>(lane),
                      w = f(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
    return f(w, __builtin_shufflevector(w, w, 1, 0, 3, 2))[0];
  } else if constexpr (std::same_as<C, float>) {
    for (index_t l = 0; l < N / 2; l += 4) {
      four_floats* const v = reinterpret_cast<four_floats*>(lane + l);
      *v = f(*v, *reinterpret_cast<const four_floats*>(lane + l + N / 2));
    }
    return reduce_lanes<N / 2>(lane, f);
  } else {
    for (index_t l = 0; l < N / 2; ++l) lane[l] = f(lane[l], lane[l + N / 2]);
    return reduce_lanes<N / 2>(lane, f);
  }
}

[[gnu::always_inline]] inline auto larger(float a, float b) -> float { return a > b ? a : b; }
inline constexpr auto larger_lanes = [](auto a, auto b) { return a > b ? a : b; };
inline constexpr auto sum_of_lanes = [](auto a, auto b) { return a + b; };

/// Returns the largest element of a row. NaNs are ignored.
[[gnu::always_inline]] inline auto largest_of(const float* x, index_t n) -> float {
  float lane[row_lanes];
  for (index_t l = 0; l < row_lanes; ++l) lane[l] = -__builtin_inff();
  index_t i = 0;
  for (; i + row_lanes <= n; i += row_lanes)
    for (index_t l = 0; l < row_lanes; ++l) lane[l] = larger(x[i + l], lane[l]);
  for (index_t l = 0; i < n; ++i, ++l) lane[l] = larger(x[i], lane[l]);
  return reduce_lanes(lane, larger_lanes);
}

/// Calls f(lane) for each lane. Without the pragma, clang would turn this short loop into scalar
/// code before it could vectorise the loop.
template <class F>
[[gnu::always_inline]] inline void each_lane(F f) {
#ifdef __clang__
#pragma clang loop unroll(disable) vectorize_width(row_lanes)
#endif
  for (index_t l = 0; l < row_lanes; ++l) inlined(f, l);
}

template <class C>
struct two_sums {
  C first, second;
};
/// Returns the sum of value(i) and the sum of other(i) over i in [0, n). If the values are float32,
/// n must be so small that the sums lose little precision.
template <class V, class W>
[[gnu::always_inline]] inline auto sums_of_block(index_t n, V value, W other) {
  using C = decltype(value(index_t{}));
  if (n < row_lanes) {
    two_sums<C> sums{};
    for (index_t i = 0; i < n; ++i) sums.first += inlined(value, i), sums.second += inlined(other, i);
    return sums;
  }
  C lane[row_lanes], beside[row_lanes];
  each_lane([&](index_t l) { lane[l] = inlined(value, l); });
  each_lane([&](index_t l) { beside[l] = inlined(other, l); });
  index_t i = row_lanes;
  for (; i + row_lanes <= n; i += row_lanes) {
    each_lane([&](index_t l) { lane[l] += inlined(value, i + l); });
    each_lane([&](index_t l) { beside[l] += inlined(other, i + l); });
  }
  for (index_t l = 0; i < n; ++i, ++l) lane[l] += inlined(value, i), beside[l] += inlined(other, i);
  return two_sums<C>{reduce_lanes(lane, sum_of_lanes), reduce_lanes(beside, sum_of_lanes)};
}
/// Returns the sum of value(i) over i in [0, n). n has the same limit as in sums_of_block.
template <class V>
[[gnu::always_inline]] inline auto sum_of_block(index_t n, V value) {
  using C = decltype(value(index_t{}));
  if (n < row_lanes) {
    C sum{};
    for (index_t i = 0; i < n; ++i) sum += inlined(value, i);
    return sum;
  }
  C lane[row_lanes];
  each_lane([&](index_t l) { lane[l] = inlined(value, l); });
  index_t i = row_lanes;
  for (; i + row_lanes <= n; i += row_lanes) each_lane([&](index_t l) { lane[l] += inlined(value, i + l); });
  for (index_t l = 0; i < n; ++i, ++l) lane[l] += inlined(value, i);
  return reduce_lanes(lane, sum_of_lanes);
}

/// Returns the sum of a row, computed block by block. f(first, size) must return the sum of the
/// block of `size` elements that begins at `first`. The sums of the blocks are added in float64.
template <class F>
[[gnu::always_inline]] inline auto sum_of_blocks(index_t n, F f) -> double {
  double sum = 0;
  for (index_t i = 0; i < n; i += row_block)
    sum += static_cast<double>(inlined(f, i, n - i < row_block ? n - i : row_block));
  return sum;
}
/// Like sum_of_blocks, but returns two sums.
template <class F>
[[gnu::always_inline]] inline auto two_sums_of_blocks(index_t n, F f) -> two_sums<double> {
  two_sums<double> sums{0, 0};
  for (index_t i = 0; i < n; i += row_block) {
    const auto [first, second] = inlined(f, i, n - i < row_block ? n - i : row_block);
    sums.first += static_cast<double>(first), sums.second += static_cast<double>(second);
  }
  return sums;
}

/// Up to `rows_at_once` short rows, side by side. Element c of row r is at [c * rows_at_once +
/// r].
struct rows_beside {
  alignas(64) float values[short_row * rows_at_once];

  [[gnu::always_inline]] void load(const float* x, index_t rows, index_t n) {
    if (rows < rows_at_once) __builtin_memset(values, 0, static_cast<std::size_t>(n * rows_at_once) * sizeof(float));
    transpose_block<float>(rows, n, {x, n}, {values, rows_at_once});
  }
  [[gnu::always_inline]] void store(float* y, index_t rows, index_t n) const {
    transpose_block<float>(n, rows, {values, rows_at_once}, {y, n});
  }
  /// Calls f(row, element) for the first n elements of all `rows_at_once` rows.
  template <class F>
  [[gnu::always_inline]] void each(index_t n, F f) {
    for (index_t c = 0; c < n; ++c) {
      float* const line = values + c * rows_at_once;
      for (index_t r = 0; r < rows_at_once; ++r) inlined(f, r, line[r]);
    }
  }
};

/// Calls kernel(first row, number of rows) for parts of the rows, on LibTorch's threads. Each part
/// except the last has a multiple of `rows_at_once` rows. A part has at least about
/// `worth_a_thread` elements.
template <class F>
void for_rows(index_t rows, index_t n, index_t worth_a_thread, F kernel) {
  const index_t groups = (rows + rows_at_once - 1) / rows_at_once;
  const index_t each = std::max<index_t>(1, worth_a_thread / std::max<index_t>(1, n * rows_at_once));
  parallel_for(0, groups, each, [&](index_t begin, index_t end) {
    const index_t first = begin * rows_at_once;
    kernel(first, std::min(rows, end * rows_at_once) - first);
  });
}

}  // namespace koila::inline v0::detail
