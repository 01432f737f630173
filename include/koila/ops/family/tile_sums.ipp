#pragma once
// Sums of elements that lie together: what ends a kernel of elements.
#include <koila/ops/family/instructions.ipp>

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
template <class T>
struct sums_of_rows {
  template <instructions Set>
  [[gnu::always_inline]] static inline void run(double* to, const void* x, index_t rows, index_t n) {
    for (index_t r = 0; r < rows; ++r) to[r] = sum_in_lanes<T, vector_bytes(Set)>(static_cast<const T*>(x) + r * n, n);
  }
};

/// to[i] += x[i].
template <class T>
struct added_elements {
  [[gnu::always_inline]] static inline void run(void* to, const void* x, index_t n) {
    T* const y = static_cast<T*>(to);
    const T* const from = static_cast<const T*>(x);
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (index_t i = 0; i < n; ++i) y[i] += from[i];
  }
};

/// Both, for elements of type T.
template <class T>
struct tile_sums {
  void (*rows)(double* to, const void* x, index_t rows,
               index_t n) = functions_of<sums_of_rows<T>, double*, const void*, index_t, index_t>::best();
  void (*add)(void* to, const void* x, index_t n) = functions_of<added_elements<T>, void*, const void*, index_t>::best();
};

}  // namespace koila::detail
