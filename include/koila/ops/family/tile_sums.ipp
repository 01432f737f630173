#pragma once
// Sums of elements that lie together, for each set of instructions: what ends a kernel of elements.
#include <koila/ops/family/elements.ipp>

namespace koila::detail {

/// The sum of n elements, few enough that as many lanes of their own type lose little. Vectors are of so many bytes as the machine's:
/// wider ones are taken apart in memory.
template <class T, int Bytes>
[[gnu::always_inline]] inline auto sum_in_lanes(const T* x, index_t n) -> double {
  typedef T lanes [[gnu::vector_size(Bytes), gnu::aligned(alignof(T)), gnu::may_alias]];
  constexpr index_t width = Bytes / sizeof(T);
  const lanes* const v = reinterpret_cast<const lanes*>(x);
  const index_t whole = n / width;
  double sum = 0;
  if (whole > 0) {
    lanes a = v[0], b = {}, c = {}, d = {};
    index_t k = 1;
    for (; k + 4 <= whole; k += 4) b += v[k], c += v[k + 1], d += v[k + 2], a += v[k + 3];
    for (; k < whole; ++k) b += v[k];
    a = (a + b) + (c + d);
    for (index_t l = 0; l < width; ++l) sum += static_cast<double>(a[l]);
  }
  for (index_t i = whole * width; i < n; ++i) sum += static_cast<double>(x[i]);
  return sum;
}

/// to[r] = the sum of row r of x (rows, n).
template <class T, int Bytes>
[[gnu::always_inline]] inline void sum_each_row(double* to, const void* x, index_t rows, index_t n) {
  for (index_t r = 0; r < rows; ++r) to[r] = sum_in_lanes<T, Bytes>(static_cast<const T*>(x) + r * n, n);
}

/// to[i] += x[i].
template <class T>
[[gnu::always_inline]] inline void add_each(void* to, const void* x, index_t n) {
  T* const y = static_cast<T*>(to);
  const T* const from = static_cast<const T*>(x);
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (index_t i = 0; i < n; ++i) y[i] += from[i];
}

/// Both, for each set of instructions.
template <class T>
struct tile_sums {
  void (*rows)(double* to, const void* x, index_t rows, index_t n);
  void (*add)(void* to, const void* x, index_t n);

  static auto best() -> tile_sums {
#ifdef __x86_64__
    if (instructions_to_use() == instructions::avx512) return {rows_avx512, add_avx512};
    if (instructions_to_use() == instructions::avx2) return {rows_avx2, add_avx2};
#endif
    return {rows_baseline, add_baseline};
  }

 private:
  [[gnu::flatten]] static void rows_baseline(double* to, const void* x, index_t rows, index_t n) {
    sum_each_row<T, 16>(to, x, rows, n);
  }
  [[gnu::flatten]] static void add_baseline(void* to, const void* x, index_t n) { add_each<T>(to, x, n); }
#ifdef __x86_64__
  [[gnu::flatten, gnu::target("avx2,fma")]] static void rows_avx2(double* to, const void* x, index_t rows, index_t n) {
    sum_each_row<T, 32>(to, x, rows, n);
  }
  [[gnu::flatten, gnu::target("avx2,fma")]] static void add_avx2(void* to, const void* x, index_t n) { add_each<T>(to, x, n); }
#ifdef __clang__
#define KOILA_WITH_AVX512 gnu::flatten, gnu::target("avx512f,avx512vl,avx512dq,avx2,fma"), clang::min_vector_width(512)
#else
#define KOILA_WITH_AVX512 gnu::flatten, gnu::target("avx512f,avx512vl,avx512dq,avx2,fma,prefer-vector-width=512")
#endif
  [[KOILA_WITH_AVX512]] static void rows_avx512(double* to, const void* x, index_t rows, index_t n) {
    sum_each_row<T, 64>(to, x, rows, n);
  }
  [[KOILA_WITH_AVX512]] static void add_avx512(void* to, const void* x, index_t n) { add_each<T>(to, x, n); }
#undef KOILA_WITH_AVX512
#endif
};

}  // namespace koila::detail
