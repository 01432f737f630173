#pragma once
// Products of row-major matrices so small that they lie in cache, as steps of larger ones.
#include <koila/ops/family/definitions.hpp>
#include <koila/shape/hash.hpp>

#include <array>
#include <atomic>
#include <initializer_list>

#include <ATen/ops/addmm_ops.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm_ops.h>

#if !defined(KOILA_NO_BLOCK_KERNELS) && __has_include(<ATen/native/CPUBlas.h>)
#include <ATen/native/CPUBlas.h>
#endif

namespace koila::detail {

/// Whether LibTorch brings oneDNN's kernels for blocks of float32, and this machine runs them. They take no tensor memory, and are up
/// to twice as fast as BLAS.
inline auto has_block_kernels() -> bool {
#if defined(CPUBLAS_BRGEMM_F32F32F32) && !defined(KOILA_NO_BLOCK_KERNELS)
  static const bool has = [] {
    const float a = 2, b = 3;
    float c = 0;
    try {
      at::native::cpublas::brgemm(1, 1, 1, 1, 1, 1, false, &a, &b, &c);
    } catch (const c10::Error&) { return false; }
    return c == 6;
  }();
  return has && !without_block_kernels.load(std::memory_order_relaxed);
#else
  return false;
#endif
}

/// A matrix in memory: rows of elements that lie together, `step` elements apart.
template <class T>
struct block {
  T* at;
  index_t step;
};

/// Shapes of blocks for which there may be a kernel. oneDNN makes one of some 10 KB for each in each thread that asks, and keeps it as long as
/// that lives, in memory that no one counts; so there are only so many, the first ones that are asked for.
class known_shapes {
 public:
  /// Whether this is one of them, or becomes one. The same for every thread.
  auto has(std::initializer_list<index_t> shape) -> bool {
    std::size_t key = 0;
    for (const index_t n : shape) key = mix(key, static_cast<std::size_t>(n));
    key |= 1U;  // 0 is no key
    for (std::size_t at = key >> 52, probes = 0; probes < slots; at = (at + 1) % slots, ++probes) {
      std::size_t there = keys_[at].load(std::memory_order_relaxed);
      if (there == 0) {
        if (count_.load(std::memory_order_relaxed) >= most) return false;
        if (keys_[at].compare_exchange_strong(there, key, std::memory_order_relaxed)) {
          count_.fetch_add(1, std::memory_order_relaxed);
          return true;
        }
      }
      if (there == key) return true;
    }
    return false;
  }
  static constexpr int most = 1024;

 private:
  static constexpr std::size_t slots = 4096;
  std::array<std::atomic<std::size_t>, slots> keys_{};
  std::atomic<int> count_{0};
};
inline known_shapes shapes_of_blocks;  // NOLINT

/// c (m, n) = a (m, k) b (k, n), or c += a b. Where there is no kernel for the shape, or the elements are float64, by BLAS.
template <class T>
void multiply_blocks(index_t m, index_t n, index_t k, block<const T> a, block<const T> b, block<T> c, bool add) {
#if defined(CPUBLAS_BRGEMM_F32F32F32) && !defined(KOILA_NO_BLOCK_KERNELS)
  if constexpr (std::is_same_v<T, float>)
    if (has_block_kernels() && shapes_of_blocks.has({m, n, k, a.step, b.step, c.step, static_cast<index_t>(add)}))
      return at::native::cpublas::brgemm(m, n, k, a.step, b.step, c.step, add, a.at, b.at, c.at);
#endif
  const auto view = [](auto of, index_t rows, index_t columns) {
    return at::from_blob(const_cast<T*>(of.at), {rows, columns}, {of.step, 1}, c10::CppTypeToScalarType<T>::value);
  };
  const at::Tensor x = view(a, m, k), y = view(b, k, n);
  at::Tensor z = view(c, m, n);
  if (add) at::_ops::addmm_out::call(z, x, y, 1, 1, z);
  else at::_ops::mm_out::call(x, y, z);
}

/// Four floats, wherever they lie.
using four_floats [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;

/// to (4, 4) = from (4, 4), the other way round.
inline void transpose_four(const float* from, index_t from_step, float* to, index_t to_step) {
  const auto row = [&](index_t i) { return *reinterpret_cast<const four_floats*>(from + i * from_step); };
  const four_floats a = row(0), b = row(1), c = row(2), d = row(3);
  const four_floats ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const four_floats high_ab = __builtin_shufflevector(a, b, 2, 6, 3, 7), high_cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const auto put = [&](index_t i, four_floats v) { *reinterpret_cast<four_floats*>(to + i * to_step) = v; };
  put(0, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
  put(1, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
  put(2, __builtin_shufflevector(high_ab, high_cd, 0, 1, 4, 5));
  put(3, __builtin_shufflevector(high_ab, high_cd, 2, 3, 6, 7));
}

/// to (columns, rows) = from (rows, columns), or to += it.
template <class T>
void transpose_block(index_t rows, index_t columns, block<const T> from, block<T> to, bool add = false) {
  constexpr index_t side = 16;  // so that what is read by columns stays in cache until all of it is
  for (index_t i = 0; i < rows; i += side)
    for (index_t j = 0; j < columns; j += side) {
      const index_t p_end = std::min(rows, i + side), q_end = std::min(columns, j + side);
      index_t p = i;
      if constexpr (std::is_same_v<T, float>)
        for (; !add && p + 4 <= p_end; p += 4) {
          index_t q = j;
          for (; q + 4 <= q_end; q += 4)
            transpose_four(from.at + p * from.step + q, from.step, to.at + q * to.step + p, to.step);
          for (; q < q_end; ++q)
            for (index_t r = p; r < p + 4; ++r) to.at[q * to.step + r] = from.at[r * from.step + q];
        }
      for (index_t q = j; q < q_end; ++q)
        for (index_t r = p; r < p_end; ++r) {
          T& t = to.at[q * to.step + r];
          t = add ? t + from.at[r * from.step + q] : from.at[r * from.step + q];
        }
    }
}

}  // namespace koila::detail
