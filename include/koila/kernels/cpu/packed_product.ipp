// SPDX-License-Identifier: MIT
#pragma once
// Products of float32 matrices by the kernels for small blocks. Operands that are stored transposed
// are packed on the stack, block by block. These products are used if they are so small that a BLAS
// call takes longer than the arithmetic, and always on processors where BLAS is slower.
#include <koila/kernels/cpu/gemm_small_m.ipp>
#include <koila/ops/common/processor.hpp>
#include <koila/torch/parallel.hpp>

namespace koila::detail {

/// For tests: all products are computed in blocks, whatever the processor and the number of blocks.
inline std::atomic<bool> all_products_in_blocks{false};

/// A matrix whose rows or columns are contiguous.
struct any_matrix {
  const float* at;
  index_t step;  // elements from one row to the next, or from one column to the next
  bool transposed;  // its columns are contiguous
  /// The matrix, or its transpose if `other_way`, for which no new tensor is needed.
  explicit any_matrix(const at::Tensor& t, bool other_way = false)
      : at(data<float>(t)), step(0), transposed(t.stride(other_way ? 0 : 1) != 1) {
    const int contiguous_dim = transposed == other_way ? 1 : 0;
    step = std::max(t.stride(1 - contiguous_dim), t.size(contiguous_dim));
  }
  /// The part of a matrix that begins at this row and column.
  any_matrix(const any_matrix& of, index_t row, index_t column)
      : at(of.at + (of.transposed ? column * of.step + row : row * of.step + column)), step(of.step),
        transposed(of.transposed) {}
};

/// The rows and columns of a block, and its depth. A packed block of a or of b takes 64 KiB.
inline constexpr index_t block_side = 64, block_depth = 256;
struct packed_blocks {
  alignas(64) float a[block_side * block_depth];
  alignas(64) float b[block_side * block_depth];
};

/// A part of a product: rows from `i` to `i_end`, columns from `j` to `j_end`.
struct product_range {
  index_t i, i_end, j, j_end;
};
/// Calls use(first, size) for each step of the range [first, end).
inline void in_steps(index_t first, index_t end, index_t step, auto use) {
  for (; first < end; first += step) use(first, std::min(step, end - first));
}

/// y = a b, or y += a b, where a's columns and b's rows are contiguous. Each block of a is packed
/// once for all columns of y.
inline void multiply_transposed(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range of,
                                bool add) {
  packed_blocks own;
  in_steps(0, k, block_depth, [&](index_t l, index_t depth) {
    in_steps(of.i, of.i_end, block_side, [&](index_t i, index_t rows) {
      transpose_block<float>(depth, rows, {a.at + l * a.step + i, a.step}, {own.a, depth});
      in_steps(of.j, of.j_end, block_side, [&](index_t j, index_t columns) {
        brgemm<float>(rows, columns, depth, {own.a, depth}, {b.at + l * b.step + j, b.step},
                      {y.at + i * y.step + j, y.step}, add || l > 0);
      });
    });
  });
}

/// The most rows of a range that is passed to `multiply_panel`.
inline constexpr index_t panel_rows = 4 * block_side;

/// The same for any matrices, and for so few rows that the part of a that is read stays in a core's
/// caches. Each block of b is packed once for all of these rows. Blocks of a are packed too if a is
/// stored transposed.
inline void multiply_panel(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range of,
                           bool add) {
  packed_blocks own;
  const index_t height = a.transposed ? block_side : panel_rows;
  in_steps(of.j, of.j_end, block_side, [&](index_t j, index_t columns) {
    in_steps(0, k, block_depth, [&](index_t l, index_t depth) {
      block<const float> right{b.at + l * b.step + j, b.step};
      if (b.transposed) {
        transpose_block<float>(columns, depth, {b.at + j * b.step + l, b.step}, {own.b, columns});
        right = {own.b, columns};
      }
      in_steps(of.i, of.i_end, height, [&](index_t i, index_t rows) {
        block<const float> left{a.at + i * a.step + l, a.step};
        if (a.transposed) {
          transpose_block<float>(depth, rows, {a.at + l * a.step + i, a.step}, {own.a, depth});
          left = {own.a, depth};
        }
        brgemm<float>(rows, columns, depth, left, right, {y.at + i * y.step + j, y.step}, add || l > 0);
      });
    });
  });
}

/// Computes a part of y = a b, or of y += a b. The blocks along k are summed in y itself.
inline void multiply_in_place(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range of,
                              bool add) {
  if (a.transposed && !b.transposed) return multiply_transposed(a, b, y, k, of, add);
  in_steps(of.i, of.i_end, panel_rows,
           [&](index_t i, index_t rows) { multiply_panel(a, b, y, k, {i, i + rows, of.j, of.j_end}, add); });
}

/// If k is larger than this, a product that is added to y is first summed separately. y may already
/// be the sum of many products, and would be rounded for each block along k.
inline constexpr index_t deep_product = 2 * block_depth;

/// Computes a part of y += a b. Each tile is summed on the stack, so that y is rounded once.
inline void add_in_tiles(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range of) {
  // A transposed block of a is packed once for a whole row of a tile; otherwise, a block of b is
  // packed once for a whole column.
  const bool transposed = a.transposed && !b.transposed;
  const index_t most_rows = transposed ? block_side : panel_rows,
                most_columns = transposed ? 16 * block_side : block_side;
  // The rows of wide tiles are not a power of two apart, because they would then compete for places
  // in the caches.
  const index_t step = transposed ? most_columns + 16 : most_columns;
  alignas(64) float sums[block_side * (16 * block_side + 16)];
  in_steps(of.i, of.i_end, most_rows, [&](index_t i, index_t rows) {
    in_steps(of.j, of.j_end, most_columns, [&](index_t j, index_t columns) {
      multiply_in_place({a, i, 0}, {b, 0, j}, {sums, step}, k, {0, rows, 0, columns}, false);
      for (index_t r = 0; r < rows; ++r) {
        float* const to = y.at + (i + r) * y.step + j;
        const float* const from = sums + r * step;
        for (index_t c = 0; c < columns; ++c) to[c] += from[c];
      }
    });
  });
}

/// Computes a part of y = a b, or of y += a b.
inline void multiply_range(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range of,
                           bool add) {
  if (add && k > deep_product) return add_in_tiles(a, b, y, k, of);
  multiply_in_place(a, b, y, k, of, add);
}

/// Returns true if gemm_small_m computes the product: a has few rows, and nothing has to be packed.
inline auto are_few_rows(index_t m, const any_matrix& a, const any_matrix& b) -> bool {
  return m <= gemm_small_m::most && b.transposed && !a.transposed;
}

/// The blocks of a product that threads share: rows or columns of blocks, or smaller blocks if
/// these would be fewer than the threads. Each element is one sum along k in whichever block it is,
/// so its bits do not depend on the number of threads.
struct product_grid {
  index_t m, n, rows, columns;  // of the product, and of a block

  product_grid(index_t all_rows, index_t all_columns, index_t threads)
      : m(all_rows), n(all_columns), rows(m >= n ? block_side : m), columns(m >= n ? n : block_side) {
    constexpr index_t least_side = 16;
    for (index_t side = block_side; count() < threads && side >= least_side; side /= 2)
      rows = std::min(m, side), columns = std::min(n, side);
  }
  auto in_row() const -> index_t { return (n + columns - 1) / columns; }
  auto count() const -> index_t { return (m + rows - 1) / rows * in_row(); }
  /// Calls use(range) for the blocks [begin, end). Blocks that are whole rows or columns are one
  /// range.
  void for_each_range(index_t begin, index_t end, auto use) const {
    if (in_row() == 1) return use(product_range{begin * rows, std::min(end * rows, m), 0, n});
    if (rows >= m) return use(product_range{0, m, begin * columns, std::min(end * columns, n)});
    for (; begin < end; ++begin) {
      const index_t i = begin / in_row() * rows, j = begin % in_row() * columns;
      use(product_range{i, std::min(i + rows, m), j, std::min(j + columns, n)});
    }
  }
};

/// y = a b, or y += a b, on LibTorch's threads.
inline void multiply_packed(const any_matrix& a, const any_matrix& b, block<float> y, index_t m, index_t n, index_t k,
                            bool add) {
  const bool few = are_few_rows(m, a, b);
  const product_grid grid(m, n, at::get_num_threads());
  // The multiplications that are worth a thread. They grow with the number of threads, as the
  // overhead of a team does.
  const index_t worth = std::max(index_t{1} << 19, static_cast<index_t>(at::get_num_threads()) << 16);
  const index_t worth_a_thread = std::max<index_t>(1, worth / std::max<index_t>(1, grid.rows * grid.columns * k));
  parallel_for(0, grid.count(), worth_a_thread, [&](index_t begin, index_t end) {
    grid.for_each_range(begin, end, [&](const product_range& of) {
      if (!few) return multiply_range(a, b, y, k, of, add);
      gemm_small_m::multiply({{a.at + of.i * a.step, a.step},
                              {b.at + of.j * b.step, b.step},
                              {y.at + of.i * y.step + of.j, y.step},
                              of.i_end - of.i,
                              of.j_end - of.j,
                              k,
                              add});
    });
  });
}

/// Returns true if a large product may be computed in blocks: it is not the product of a matrix and
/// a vector. The number of threads does not matter here, although BLAS's sums depend on it.
inline auto has_many_blocks(index_t m, index_t n, bool few) -> bool { return (few || m > 1) && n > 1; }
/// Returns true if a product is computed in blocks. A rule decides that, and not what is faster in
/// this run, so that the product has the same bits in every run.
inline auto is_for_blocks(index_t m, index_t n, index_t k, bool few) -> bool {
  static const processor here = this_processor();
  if (all_products_in_blocks.load(std::memory_order_relaxed) || is_small_product(m * n * k)) return true;
  return prefers_blocks(here, m * n * k) && has_many_blocks(m, n, few);
}

/// Computes y = a b + start in blocks, or returns false if BLAS should compute it. `start` is that
/// of `multiply`, whose callers pass factors of layout::matrix and contiguous results. If
/// `other_way`, b's transpose is multiplied.
inline auto multiply_in_blocks(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start,
                               bool other_way = false) -> bool {
  if (y.dim() != 2 || y.scalar_type() != at::kFloat || !has_brgemm()) return false;
  const index_t m = y.size(0), n = y.size(1), k = a.size(1);
  if (m * n * k == 0) return false;
  const any_matrix left(a), right(b, other_way);
  if (!is_for_blocks(m, n, k, are_few_rows(m, left, right))) return false;
  const bool row = start != nullptr && start != &y;
  if (row && (start->dim() != 1 || start->stride(0) != 1)) return false;
  const block<float> to{static_cast<float*>(y.mutable_data_ptr()), std::max<index_t>(n, y.stride(0))};
  if (row)
    for (index_t i = 0; i < m; ++i) std::copy_n(data<float>(*start), n, to.at + i * to.step);
  multiply_packed(left, right, to, m, n, k, start != nullptr);
  return true;
}

}  // namespace koila::detail
