// SPDX-License-Identifier: MIT
#pragma once
// Products of row-major matrices that are small enough to lie in cache. Larger products consist of
// such small products.
#include <koila/kernels/cpu/block_product.ipp>

#include <algorithm>
#include <atomic>
#include <type_traits>

#include <ATen/ops/addmm_ops.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm_ops.h>

namespace koila::inline v0::detail {

/// For tests: if true, the block kernel is not used, as on machines that do not have it.
inline std::atomic<bool> without_brgemm{false};

/// Returns true if this machine has the float32 block kernel (block_product.ipp). The block kernel
/// allocates no memory, and is up to twice as fast as BLAS.
inline auto has_brgemm() -> bool {
#ifdef KOILA_NO_BLOCK_KERNELS
  return false;
#else
  return best_block_product() != nullptr && !without_brgemm.load(std::memory_order_relaxed);
#endif
}

/// Returns true if `brgemm` calls BLAS for type T. BLAS has its own threads and is faster on larger
/// matrices, so kernels call BLAS from only one thread.
template <class T>
auto brgemm_is_blas() -> bool {
  return !(std::is_same_v<T, float> && has_brgemm());
}

/// Computes c += a b for matrices a (m, k), b (k, n) and c (m, n), without allocating memory. If
/// `transposed`, the columns of a are contiguous instead of its rows.
template <class T>
void add_product_alone(index_t m, index_t n, index_t k, block<const T> a, block<const T> b, block<T> c,
                       bool transposed) {
  for (index_t i = 0; i < m; ++i)
    for (index_t l = 0; l < k; ++l) {
      const T x = transposed ? a.elements[l * a.step + i] : a.elements[i * a.step + l];
      for (index_t j = 0; j < n; ++j) c.elements[i * c.step + j] += x * b.elements[l * b.step + j];
    }
}
/// Calls f, which adds a product to c. If f throws, for example because memory is short, plain
/// loops add the product instead. The caller cannot start again, because earlier products are
/// already added to c.
template <class T, class F>
void add_product(index_t m, index_t n, index_t k, block<const T> a, block<const T> b, block<T> c, bool transposed,
                 const F& f) {
  try {
    f();
  } catch (...) { add_product_alone<T>(m, n, k, a, b, c, transposed); }
}

/// Computes c = a b by BLAS, or c += a b if `add`, for matrices a (m, k), b (k, n) and c (m, n). If
/// `transposed`, the columns of a are contiguous instead of its rows.
template <class T>
void multiply_by_blas(index_t m, index_t n, index_t k, block<const T> a, block<const T> b, block<T> c, bool add,
                      bool transposed = false) {
  if (n == 0) return;
  const auto multiply = [&] {
    const auto view = [](auto matrix, index_t rows, index_t columns, index_t row, index_t column) {
      return at::from_blob(const_cast<T*>(matrix.elements), {rows, columns}, {row, column},
                           c10::CppTypeToScalarType<T>::value);
    };
    const at::Tensor x = transposed ? view(a, m, k, 1, a.step) : view(a, m, k, a.step, 1), y = view(b, k, n, b.step, 1);
    at::Tensor z = view(c, m, n, c.step, 1);
    if (add) at::_ops::addmm_out::call(z, x, y, 1, 1, z);
    else at::_ops::mm_out::call(x, y, z);
  };
  if (add) add_product<T>(m, n, k, a, b, c, transposed, multiply);
  else multiply();
}

/// Computes c = a b, or c += a b if `add`, for matrices a (m, k), b (k, n) and c (m, n). BLAS
/// computes float64 products. On machines without the block kernel, BLAS also computes float32
/// products. The bits of an element of c depend only on the element's row of a, its column of b,
/// and k. The bits do not depend on the shape or the address of the block that contains the
/// element.
template <class T>
void brgemm(index_t m, index_t n, index_t k, block<const T> a, block<const T> b, block<T> c, bool add) {
  if constexpr (std::is_same_v<T, float>)
    if (has_brgemm()) return best_block_product()({a, b, c, m, n, k, add});
  multiply_by_blas<T>(m, n, k, a, b, c, add);
}

/// Vectors of four and of eight floats at any address aligned for float.
using four_floats [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;
using eight_floats [[gnu::vector_size(32), gnu::aligned(4), gnu::may_alias]] = float;

/// Writes the transpose of from (rows, columns) to `to` (columns, rows), for floats, with vector
/// instructions.
struct transposed_floats {
  [[gnu::always_inline]] static inline void run(index_t rows, index_t columns, block<const float> from,
                                                block<float> to) {
    constexpr index_t side =
        16;  // floats in a cache line; a step reads one line of each row and writes 16 rows, which stay in cache
    index_t q = 0;
    for (; q + side <= columns; q += side) {
      const float* x = from.elements + q;
      float* y = to.elements + q * to.step;
      index_t p = 0;
      for (; p + 8 <= rows; p += 8, x += 8 * from.step, y += 8) {
        eight(x, from.step, y, to.step);
        eight(x + 8, from.step, y + 8 * to.step, to.step);
      }
      for (; p + 4 <= rows; p += 4, x += 4 * from.step, y += 4)
        for (index_t k = 0; k < side; k += 4) four(x + k, from.step, y + k * to.step, to.step);
      for (; p < rows; ++p, x += from.step, ++y)
        for (index_t k = 0; k < side; ++k) y[k * to.step] = x[k];
    }
    for (; q + 4 <= columns; q += 4) {
      index_t p = 0;
      for (; p + 4 <= rows; p += 4)
        four(from.elements + p * from.step + q, from.step, to.elements + q * to.step + p, to.step);
      for (; p < rows; ++p)
        for (index_t k = q; k < q + 4; ++k) to.elements[k * to.step + p] = from.elements[p * from.step + k];
    }
    for (; q < columns; ++q)
      for (index_t p = 0; p < rows; ++p) to.elements[q * to.step + p] = from.elements[p * from.step + q];
  }

 private:
  /// Transposes a block (8, 8). Loads each half of the columns into four vectors; vector i holds
  /// rows i and i + 4. Then transposes the vectors as two blocks (4, 4).
  [[gnu::always_inline]] static inline void eight(const float* from, index_t from_step, float* to, index_t to_step) {
    for (index_t half = 0; half < 8; half += 4) {
      eight_floats row[4];
      for (index_t i = 0; i < 4; ++i) {
        // The vector type is named each time, because `auto` would lose the reduced alignment.
        const four_floats above = *reinterpret_cast<const four_floats*>(from + i * from_step + half);
        const four_floats below = *reinterpret_cast<const four_floats*>(from + (i + 4) * from_step + half);
        row[i] = __builtin_shufflevector(above, below, 0, 1, 2, 3, 4, 5, 6, 7);
      }
      const eight_floats ab = __builtin_shufflevector(row[0], row[1], 0, 8, 1, 9, 4, 12, 5, 13),
                         cd = __builtin_shufflevector(row[2], row[3], 0, 8, 1, 9, 4, 12, 5, 13),
                         high_ab = __builtin_shufflevector(row[0], row[1], 2, 10, 3, 11, 6, 14, 7, 15),
                         high_cd = __builtin_shufflevector(row[2], row[3], 2, 10, 3, 11, 6, 14, 7, 15);
      float* const y = to + half * to_step;
      *reinterpret_cast<eight_floats*>(y) = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
      *reinterpret_cast<eight_floats*>(y + to_step) = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
      *reinterpret_cast<eight_floats*>(y + 2 * to_step) =
          __builtin_shufflevector(high_ab, high_cd, 0, 1, 8, 9, 4, 5, 12, 13);
      *reinterpret_cast<eight_floats*>(y + 3 * to_step) =
          __builtin_shufflevector(high_ab, high_cd, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  /// Transposes a block (4, 4).
  [[gnu::always_inline]] static inline void four(const float* from, index_t from_step, float* to, index_t to_step) {
    four_floats row[4];
    for (index_t i = 0; i < 4; ++i) row[i] = *reinterpret_cast<const four_floats*>(from + i * from_step);
    const four_floats ab = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
                      cd = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
                      high_ab = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
                      high_cd = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    *reinterpret_cast<four_floats*>(to) = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    *reinterpret_cast<four_floats*>(to + to_step) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    *reinterpret_cast<four_floats*>(to + 2 * to_step) = __builtin_shufflevector(high_ab, high_cd, 0, 1, 4, 5);
    *reinterpret_cast<four_floats*>(to + 3 * to_step) = __builtin_shufflevector(high_ab, high_cd, 2, 3, 6, 7);
  }
};

/// Writes the transpose of from (rows, columns) to `to` (columns, rows), or adds it to `to` if
/// `add`.
template <class T>
void transpose_block(index_t rows, index_t columns, block<const T> from, block<T> to, bool add = false) {
  if constexpr (std::is_same_v<T, float>)
    if (!add)
      return functions_of<transposed_floats, index_t, index_t, block<const float>, block<float>>::best()(rows, columns,
                                                                                                         from, to);
  constexpr index_t side = 16;
  for (index_t i = 0; i < rows; i += side)
    for (index_t j = 0; j < columns; j += side)
      for (index_t q = j; q < std::min(columns, j + side); ++q)
        for (index_t r = i; r < std::min(rows, i + side); ++r) {
          T& t = to.elements[q * to.step + r];
          t = add ? t + from.elements[r * from.step + q] : from.elements[r * from.step + q];
        }
}

/// Computes c = a^T b, or c += a^T b if `add`, for matrices a (k, m), b (k, n) and c (m, n). The
/// block kernel needs a transposed copy of a, which is written to the buffer `own`. BLAS does not
/// need a copy.
template <class T>
void brgemm_transposed(index_t m, index_t n, index_t k, block<const T> a, block<const T> b, block<T> c, bool add,
                       T* own) {
  if (brgemm_is_blas<T>()) return multiply_by_blas<T>(m, n, k, a, b, c, add, true);
  transpose_block<T>(k, m, a, {own, k});
  brgemm<T>(m, n, k, {own, k}, b, c, add);
}

}  // namespace koila::inline v0::detail
