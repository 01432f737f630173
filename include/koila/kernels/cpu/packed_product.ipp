// SPDX-License-Identifier: MIT
#pragma once
// Products of float32 matrices by the block kernel (block_product.ipp) instead of BLAS. Operands
// that are stored transposed are packed on the stack, block by block. The block kernel computes
// products that are so small that a BLAS call takes longer than the arithmetic. On processors where
// BLAS is slower, the block kernel also computes larger products.
#include <koila/kernels/cpu/gemm_small_m.ipp>
#include <koila/ops/common/processor.hpp>
#include <koila/torch/parallel.hpp>

namespace koila::inline v0::detail {

/// For tests: if true, the block kernel computes all products, whatever the processor and the
/// number of blocks.
inline std::atomic<bool> all_products_in_blocks{false};

/// A matrix whose rows or columns are contiguous.
struct any_matrix {
  const float* elements;
  index_t step;  // distance in elements from one row to the next, or from one column to the next
  bool transposed;  // true if the columns are contiguous, and not the rows
  /// Refers to t, or to the transpose of t if `other_way`. Creates no tensor for the transpose.
  explicit any_matrix(const at::Tensor& t, bool other_way = false)
      : elements(data<float>(t)), step(0), transposed(t.stride(other_way ? 0 : 1) != 1) {
    const int contiguous_dim = transposed == other_way ? 1 : 0;
    step = std::max(t.stride(1 - contiguous_dim), t.size(contiguous_dim));
  }
  /// The part of a matrix that begins at the given row and column.
  any_matrix(const any_matrix& range, index_t row, index_t column)
      : elements(range.elements + (range.transposed ? column * range.step + row : row * range.step + column)),
        step(range.step), transposed(range.transposed) {}
};

/// `block_side` is the largest number of rows or columns of a block. `block_depth` is its largest
/// number of elements along k. A packed block of a or of b takes 64 KiB.
inline constexpr index_t block_side = 64, block_depth = 256;
struct packed_blocks {
  alignas(64) float a[block_side * block_depth];
  alignas(64) float b[block_side * block_depth];
};

/// A range of a product, with rows [i, i_end) and columns [j, j_end).
struct product_range {
  index_t i, i_end, j, j_end;
};
/// Calls use(first, size) for consecutive steps of [first, end), each of size `step` except perhaps
/// the last.
inline void in_steps(index_t first, index_t end, index_t step, auto use) {
  for (; first < end; first += step) use(first, std::min(step, end - first));
}

/// Computes a range of y = a b, or of y += a b if `add`. The columns of a and the rows of b must be
/// contiguous. Each block of a is packed once for all columns of the range.
inline void multiply_transposed(const any_matrix& a, const any_matrix& b, block<float> y, index_t k,
                                product_range range, bool add) {
  packed_blocks own;
  in_steps(0, k, block_depth, [&](index_t l, index_t depth) {
    in_steps(range.i, range.i_end, block_side, [&](index_t i, index_t rows) {
      transpose_block<float>(depth, rows, {a.elements + l * a.step + i, a.step}, {own.a, depth});
      in_steps(range.j, range.j_end, block_side, [&](index_t j, index_t columns) {
        brgemm<float>(rows, columns, depth, {own.a, depth}, {b.elements + l * b.step + j, b.step},
                      {y.elements + i * y.step + j, y.step}, add || l > 0);
      });
    });
  });
}

/// The largest number of rows of a range that is passed to `multiply_panel`.
inline constexpr index_t panel_rows = 4 * block_side;

/// Like multiply_transposed, but each of a and b may be stored by rows or by columns (transposed).
/// The range must have at most `panel_rows` rows, so that these rows of a stay in a core's caches.
/// If b is stored transposed, each block of b is packed once for all rows of the range. If a is
/// stored transposed, the blocks of a are packed, too.
inline void multiply_panel(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range range,
                           bool add) {
  packed_blocks own;
  const index_t height = a.transposed ? block_side : panel_rows;
  in_steps(range.j, range.j_end, block_side, [&](index_t j, index_t columns) {
    in_steps(0, k, block_depth, [&](index_t l, index_t depth) {
      block<const float> right{b.elements + l * b.step + j, b.step};
      if (b.transposed) {
        transpose_block<float>(columns, depth, {b.elements + j * b.step + l, b.step}, {own.b, columns});
        right = {own.b, columns};
      }
      in_steps(range.i, range.i_end, height, [&](index_t i, index_t rows) {
        block<const float> left{a.elements + i * a.step + l, a.step};
        if (a.transposed) {
          transpose_block<float>(depth, rows, {a.elements + l * a.step + i, a.step}, {own.a, depth});
          left = {own.a, depth};
        }
        brgemm<float>(rows, columns, depth, left, right, {y.elements + i * y.step + j, y.step}, add || l > 0);
      });
    });
  });
}

/// Computes a range of y = a b, or of y += a b if `add`. The product is split into blocks along k,
/// and the sums of the blocks are added to y one after the other.
inline void multiply_in_place(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range range,
                              bool add) {
  if (a.transposed && !b.transposed) return multiply_transposed(a, b, y, k, range, add);
  in_steps(range.i, range.i_end, panel_rows,
           [&](index_t i, index_t rows) { multiply_panel(a, b, y, k, {i, i + rows, range.j, range.j_end}, add); });
}

/// If k is larger than this, a product is summed separately before it is added to y. If the blocks
/// along k were added to y one after the other, y would be rounded once for each block. This loses
/// precision if y is already the sum of many products.
inline constexpr index_t deep_product = 2 * block_depth;

/// Computes a range of y += a b. Each tile of the product is summed on the stack and then added to
/// y, so that y is rounded once.
inline void add_in_tiles(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range range) {
  // If a is packed, tiles are wide, because each packed block of a is used for all columns of a
  // tile. Otherwise tiles are tall, because each packed block of b is used for all rows of a
  // tile.
  const bool transposed = a.transposed && !b.transposed;
  const index_t most_rows = transposed ? block_side : panel_rows,
                most_columns = transposed ? 16 * block_side : block_side;
  // The distance between rows of wide tiles is not a power of two. With a power of two, the rows
  // would compete for the same cache sets.
  const index_t step = transposed ? most_columns + 16 : most_columns;
  alignas(64) float sums[block_side * (16 * block_side + 16)];
  in_steps(range.i, range.i_end, most_rows, [&](index_t i, index_t rows) {
    in_steps(range.j, range.j_end, most_columns, [&](index_t j, index_t columns) {
      multiply_in_place({a, i, 0}, {b, 0, j}, {sums, step}, k, {0, rows, 0, columns}, false);
      for (index_t r = 0; r < rows; ++r) {
        float* const to = y.elements + (i + r) * y.step + j;
        const float* const from = sums + r * step;
        for (index_t c = 0; c < columns; ++c) to[c] += from[c];
      }
    });
  });
}

/// Computes the range `of` of y = a b, or of y += a b if `add`.
inline void multiply_range(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range range,
                           bool add) {
  if (add && k > deep_product) return add_in_tiles(a, b, y, k, range);
  multiply_in_place(a, b, y, k, range, add);
}

/// Returns true if gemm_small_m computes the product. This is the case if a has few rows and
/// nothing has to be packed.
inline auto has_few_rows(index_t m, const any_matrix& a, const any_matrix& b) -> bool {
  return m <= gemm_small_m::most && b.transposed && !a.transposed;
}

/// Splits a product into blocks for the threads. A block consists of whole rows or whole columns of
/// the product. If there would be fewer such blocks than threads, smaller blocks are used.
/// Whichever block an element is in, it is one sum along k. So its bits do not depend on the number
/// of threads.
struct product_grid {
  index_t m, n, block_rows, block_columns;  // m and n of the product, rows and columns of a block

  product_grid(index_t all_rows, index_t all_columns, index_t threads)
      : m(all_rows), n(all_columns), block_rows(m >= n ? block_side : m), block_columns(m >= n ? n : block_side) {
    constexpr index_t least_side = 16;
    for (index_t side = block_side; count() < threads && side >= least_side; side /= 2)
      block_rows = std::min(m, side), block_columns = std::min(n, side);
  }
  auto in_row() const -> index_t { return (n + block_columns - 1) / block_columns; }
  auto count() const -> index_t { return (m + block_rows - 1) / block_rows * in_row(); }
  /// Calls use(range) for blocks [begin, end). Blocks of whole rows or whole columns are merged
  /// into one range.
  void for_each_range(index_t begin, index_t end, auto use) const {
    if (in_row() == 1) return use(product_range{begin * block_rows, std::min(end * block_rows, m), 0, n});
    if (block_rows >= m) return use(product_range{0, m, begin * block_columns, std::min(end * block_columns, n)});
    for (; begin < end; ++begin) {
      const index_t i = begin / in_row() * block_rows, j = begin % in_row() * block_columns;
      use(product_range{i, std::min(i + block_rows, m), j, std::min(j + block_columns, n)});
    }
  }
};

/// Computes y = a b, or y += a b if `add`, on LibTorch's threads.
inline void multiply_packed(const any_matrix& a, const any_matrix& b, block<float> y, index_t m, index_t n, index_t k,
                            bool add) {
  const bool few = has_few_rows(m, a, b);
  const product_grid grid(m, n, at::get_num_threads());
  // The number of multiplications for which another thread is worthwhile. This number grows with
  // the number of threads, because the overhead of a team of threads grows too.
  const index_t worth = std::max(index_t{1} << 19, static_cast<index_t>(at::get_num_threads()) << 16);
  const index_t worth_a_thread =
      std::max<index_t>(1, worth / std::max<index_t>(1, grid.block_rows * grid.block_columns * k));
  parallel_for(0, grid.count(), worth_a_thread, [&](index_t begin, index_t end) {
    grid.for_each_range(begin, end, [&](const product_range& range) {
      if (!few) return multiply_range(a, b, y, k, range, add);
      gemm_small_m::multiply({{a.elements + range.i * a.step, a.step},
                              {b.elements + range.j * b.step, b.step},
                              {y.elements + range.i * y.step + range.j, y.step},
                              range.i_end - range.i,
                              range.j_end - range.j,
                              k,
                              add});
    });
  });
}

/// Returns true if the block kernel may compute a large product. y must have more than one column,
/// and more than one row unless gemm_small_m computes the product (`few`). The answer does not
/// depend on the number of threads.
inline auto has_many_blocks(index_t m, index_t n, bool few) -> bool { return (few || m > 1) && n > 1; }
/// Returns true if the block kernel, and not BLAS, computes a product. The decision follows a fixed
/// rule instead of a measurement, so that the product has the same bits in every run.
inline auto is_for_blocks(index_t m, index_t n, index_t k, bool few) -> bool {
  static const processor here = this_processor();
  if (all_products_in_blocks.load(std::memory_order_relaxed) || is_small_product(m * n * k)) return true;
  return prefers_blocks(here, m * n * k) && has_many_blocks(m, n, few);
}

/// Computes y = a b + start by the block kernel. Returns false, and computes nothing, if BLAS
/// should compute the product. `start` is null, y, or a row, as in `multiply` (matrices.hpp). The
/// rows or the columns of a and of b must be contiguous. The rows of y must be contiguous, too. If
/// `other_way`, a is multiplied by the transpose of b.
inline auto multiply_in_blocks(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start,
                               bool other_way = false) -> bool {
  if (y.dim() != 2 || y.scalar_type() != at::kFloat || !has_brgemm()) return false;
  const index_t m = y.size(0), n = y.size(1), k = a.size(1);
  if (m * n * k == 0) return false;
  const any_matrix left(a), right(b, other_way);
  if (!is_for_blocks(m, n, k, has_few_rows(m, left, right))) return false;
  const bool row = start != nullptr && start != &y;
  if (row && (start->dim() != 1 || start->stride(0) != 1)) return false;
  const block<float> to{static_cast<float*>(y.mutable_data_ptr()), std::max<index_t>(n, y.stride(0))};
  if (row)
    for (index_t i = 0; i < m; ++i) std::copy_n(data<float>(*start), n, to.elements + i * to.step);
  multiply_packed(left, right, to, m, n, k, start != nullptr);
  return true;
}

}  // namespace koila::inline v0::detail
