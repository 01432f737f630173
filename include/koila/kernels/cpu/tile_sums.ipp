// SPDX-License-Identifier: MIT
#pragma once
// Sums of contiguous elements, which a fused element-wise kernel computes at its end.
#include <koila/kernels/cpu/row_math.ipp>

namespace koila::inline v0::detail {

/// Writes the sum of each row r of x (rows, n) to to[r]. n must be so small that sums in type T
/// lose little precision.
template <class T>
struct sums_of_rows {
  static void run(double* to, const void* x, index_t rows, index_t n) {
    for (index_t r = 0; r < rows; ++r) {
      const T* const row = static_cast<const T*>(x) + r * n;
      to[r] = static_cast<double>(sum_of_block(n, [=](index_t i) { return row[i]; }));
    }
  }
};

/// to[i] += x[i].
template <class T>
struct added_elements {
  static void run(void* to, const void* x, index_t n) {
    T* const y = static_cast<T*>(to);
    const T* const from = static_cast<const T*>(x);
    each_of(n, [=](index_t i) { y[i] += from[i]; });
  }
};

/// The two functions above, for elements of type T.
template <class T>
struct tile_sums {
  void (*rows)(double* to, const void* x, index_t rows,
               index_t n) = functions_of<sums_of_rows<T>, double*, const void*, index_t, index_t>::best();
  void (*add)(void* to, const void* x,
              index_t n) = functions_of<added_elements<T>, void*, const void*, index_t>::best();
};

}  // namespace koila::inline v0::detail
