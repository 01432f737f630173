// SPDX-License-Identifier: MIT
#pragma once
// Mean and variance of rows. A row is read twice, and stays in the L1 cache in between.
#include <koila/kernels/cpu/row_math.ipp>

namespace koila::inline v0::detail {

/// Returns 0 if rounding has made a variance negative, else the variance. NaN stays NaN.
[[gnu::always_inline]] inline auto not_below_zero(double variance) -> double { return variance < 0 ? 0 : variance; }

/// The mean and the variance. The mean is centre + rest, where `centre` is close to the mean.
/// Float32 loses no precision if the mean is large, because `centre` is subtracted from the
/// elements first.
template <class C>
struct row_moments {
  C centre;
  double rest, variance;
};
template <class C, class T>
[[gnu::always_inline]] inline auto centre_of_row(const T* x, index_t n) -> C {
  const double sum = sum_of_blocks(n, [=](index_t first, index_t here) {
    return sum_of_block(here, [=](index_t i) { return static_cast<C>(x[first + i]); });
  });
  return static_cast<C>(sum * (1 / static_cast<double>(n)));
}
template <class C, class T>
[[gnu::always_inline]] inline auto moments_about(const T* x, index_t n, C centre) -> row_moments<C> {
  const auto off = [=](index_t i) { return static_cast<C>(x[i]) - centre; };
  const auto [rests, squares] = two_sums_of_blocks(n, [=](index_t first, index_t here) {
    return sums_of_block(
        here, [=](index_t i) { return off(first + i); }, [=](index_t i) { return off(first + i) * off(first + i); });
  });
  const double each = 1 / static_cast<double>(n), rest = rests * each;
  return {centre, rest, not_below_zero(squares * each - rest * rest)};
}
template <class C, class T>
[[gnu::always_inline]] inline auto moments_of_row(const T* x, index_t n) -> row_moments<C> {
  return moments_about<C>(x, n, centre_of_row<C>(x, n));
}

template <class C, class T>
struct moments_kernel {
  static void run(const T* x, index_t rows, index_t n, T* mean, T* variance) {
    for (index_t r = 0; r < rows; ++r) {
      const row_moments<C> m = moments_of_row<C>(x + r * n, n);
      const double rest = m.centre - m.centre == 0 ? m.rest : 0;  // 0 if the mean is not finite
      mean[r] = static_cast<T>(static_cast<C>(static_cast<double>(m.centre) + rest));
      variance[r] = static_cast<T>(static_cast<C>(m.variance));
    }
  }
};

inline constexpr index_t sums_worth_a_thread = 32768;  ///< elements to sum for which another thread is worthwhile

/// Calls a row kernel for elements of type T. For float32, calls the version for the machine's best
/// instruction set.
template <template <class, class> class Kernel, class T, class... A>
void call_row_kernel(A... a) {
  using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
  if constexpr (std::is_same_v<T, float>) functions_of<Kernel<C, T>, A...>::best()(a...);
  else Kernel<C, T>::run(a...);
}

}  // namespace koila::inline v0::detail
