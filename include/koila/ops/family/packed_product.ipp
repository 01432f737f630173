#pragma once
// Products of float32 matrices by kernels of small blocks: what lies the other way is packed on the stack, block by block. For small
// products, whose calls of BLAS take longer than their arithmetic, and where a machine's BLAS is slower than these kernels.
#include <koila/ops/family/few_rows.ipp>
#include <koila/ops/family/least_seconds.ipp>
#include <koila/ops/family/parallel.hpp>

#include <vector>

namespace koila::detail {

/// For tests: large products are made in blocks whatever was measured.
inline std::atomic<bool> all_products_in_blocks{false};

/// A matrix whose rows, or whose columns, lie together.
struct any_matrix {
  const float* at;
  index_t step;  // elements from one row to the next, or from one column to the next
  bool turned;  // its columns lie together
  /// The matrix, or its transpose where `other_way`: that as a tensor would be a new one.
  explicit any_matrix(const at::Tensor& t, bool other_way = false)
      : at(data<float>(t)), step(0), turned(t.stride(other_way ? 0 : 1) != 1) {
    const int together = turned == other_way ? 1 : 0;
    step = std::max(t.stride(1 - together), t.size(together));
  }
};

/// Rows, columns and depth of a block: what is packed of a and of b takes 64 KiB each.
inline constexpr index_t block_side = 64, block_depth = 256;
struct packed_blocks {
  alignas(64) float a[block_side * block_depth];
  alignas(64) float b[block_side * block_depth];
};

/// A part of a product: rows from `i` to `i_end`, columns from `j` to `j_end`.
struct product_range {
  index_t i, i_end, j, j_end;
};
/// Calls use(first, size) with each step of a range.
inline void in_steps(index_t first, index_t end, index_t step, auto use) {
  for (; first < end; first += step) use(first, std::min(step, end - first));
}

/// y = a b, or y += a b, where a's columns lie together, and b's rows: a block of a is packed for all columns of y.
inline void multiply_turned(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range of, bool add) {
  packed_blocks own;
  in_steps(0, k, block_depth, [&](index_t l, index_t depth) {
    in_steps(of.i, of.i_end, block_side, [&](index_t i, index_t rows) {
      transpose_block<float>(depth, rows, {a.at + l * a.step + i, a.step}, {own.a, depth});
      in_steps(of.j, of.j_end, block_side, [&](index_t j, index_t columns) {
        multiply_blocks<float>(rows, columns, depth, {own.a, depth}, {b.at + l * b.step + j, b.step},
                               {y.at + i * y.step + j, y.step}, add || l > 0);
      });
    });
  });
}

/// The same of any matrices, and so few rows that what is read of a stays in a core's caches: a block of b is packed for all of them.
inline void multiply_panel(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range of, bool add) {
  packed_blocks own;
  in_steps(of.j, of.j_end, block_side, [&](index_t j, index_t columns) {
    in_steps(0, k, block_depth, [&](index_t l, index_t depth) {
      block<const float> right{b.at + l * b.step + j, b.step};
      if (b.turned) {
        transpose_block<float>(columns, depth, {b.at + j * b.step + l, b.step}, {own.b, columns});
        right = {own.b, columns};
      }
      in_steps(of.i, of.i_end, block_side, [&](index_t i, index_t rows) {
        block<const float> left{a.at + i * a.step + l, a.step};
        if (a.turned) {
          transpose_block<float>(depth, rows, {a.at + l * a.step + i, a.step}, {own.a, depth});
          left = {own.a, depth};
        }
        multiply_blocks<float>(rows, columns, depth, left, right, {y.at + i * y.step + j, y.step}, add || l > 0);
      });
    });
  });
}

/// A part of y = a b, or of y += a b.
inline void multiply_range(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, product_range of, bool add) {
  if (a.turned && !b.turned) return multiply_turned(a, b, y, k, of, add);
  in_steps(of.i, of.i_end, 4 * block_side,
           [&](index_t i, index_t rows) { multiply_panel(a, b, y, k, {i, i + rows, of.j, of.j_end}, add); });
}

/// Whether a product is of few rows, which nothing is packed for.
inline auto are_few_rows(index_t m, const any_matrix& a, const any_matrix& b) -> bool {
  return m <= few_rows::most && b.turned && !a.turned;
}

/// y = a b, or y += a b, on LibTorch's threads.
inline void multiply_packed(const any_matrix& a, const any_matrix& b, block<float> y, index_t m, index_t n, index_t k,
                            bool add) {
  const bool by_rows = m >= n, few = are_few_rows(m, a, b);
  const index_t parts = ((by_rows ? m : n) + block_side - 1) / block_side;
  // Multiplications: what a team takes is that of all threads.
  const index_t worth = std::max(index_t{1} << 19, static_cast<index_t>(at::get_num_threads()) << 16);
  const index_t worth_a_thread = std::max<index_t>(1, worth / std::max<index_t>(1, block_side * k * (by_rows ? n : m)));
  parallel_for(0, parts, worth_a_thread, [&](index_t begin, index_t end) {
    const index_t from = begin * block_side, to = std::min(end * block_side, by_rows ? m : n);
    const index_t i = by_rows ? from : 0, i_end = by_rows ? to : m, j = by_rows ? 0 : from, j_end = by_rows ? n : to;
    if (!few) return multiply_range(a, b, y, k, {i, i_end, j, j_end}, add);
    few_rows::multiply({{a.at + i * a.step, a.step},
                        {b.at + j * b.step, b.step},
                        {y.at + i * y.step + j, y.step},
                        i_end - i,
                        j_end - j,
                        k,
                        add});
  });
}

/// Multiplications of a product that is small: what a call of BLAS takes besides is much of it.
inline constexpr index_t small_product = index_t{1} << 20;

/// Which way of multiplying large matrices is faster.
enum class multiplied_by : signed char { unknown, blocks, blas };
/// Whether large products of factors that lie so are faster in blocks than by BLAS, by more than chance. Measured once for each of the four ways
/// to lie, for one thread and for more, in some milliseconds, by all of LibTorch's threads, so that these know the kernels afterwards, of which a thread's first takes 0.2 ms.
/// In blocks where nothing may be measured.
inline auto blocks_are_faster(bool a_turned, bool b_turned) -> bool {
  static std::atomic<multiplied_by> found[2][2][2];
  std::atomic<multiplied_by>& by = found[at::get_num_threads() > 1 ? 1 : 0][a_turned ? 1 : 0][b_turned ? 1 : 0];
  multiplied_by known = by.load(std::memory_order_relaxed);
  if (known != multiplied_by::unknown) return known == multiplied_by::blocks;
  if (!may_measure()) return true;
  constexpr index_t m = 256, n = 512, k = 512;
  std::vector<float> a(m * k, 0.5F), b(k * n, 0.25F), y(m * n);
  const auto view = [](std::vector<float>& v, index_t rows, index_t columns, bool turned) {
    return at::from_blob(v.data(), {rows, columns}, {turned ? 1 : columns, turned ? rows : 1}, at::kFloat);
  };
  const at::Tensor x = view(a, m, k, a_turned), w = view(b, k, n, b_turned);
  at::Tensor z = view(y, m, n, false);
  const any_matrix left(x), right(w);
  const double in_blocks = least_seconds_of(0, [&] { multiply_packed(left, right, {y.data(), n}, m, n, k, false); });
  const bool faster = in_blocks * 1.02 < least_seconds_of(0, [&] { at::_ops::mm_out::call(x, w, z); });
  // What another thread has found meanwhile stays: a value that is computed again has the same bits.
  const multiplied_by now = faster ? multiplied_by::blocks : multiplied_by::blas;
  if (by.compare_exchange_strong(known, now, std::memory_order_relaxed)) return faster;
  return known == multiplied_by::blocks;
}

/// Whether a large product is one for blocks: not of a vector, and there is a block for each thread.
inline auto has_many_blocks(index_t m, index_t n, bool few) -> bool {
  return (few || m > 1) && n > 1 && (std::max(m, n) + block_side - 1) / block_side >= at::get_num_threads();
}

/// y = a b + start where that is faster in blocks; false where it is left to BLAS. `start` as that of `multiply`, whose callers take
/// factors of layout::matrix, and whose results are contiguous. `other_way`: b's transpose is meant.
inline auto multiply_in_blocks(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start,
                               bool other_way = false) -> bool {
  if (y.dim() != 2 || y.scalar_type() != at::kFloat || !on_host(y) || !has_block_kernels()) return false;
  const index_t m = y.size(0), n = y.size(1), k = a.size(1);
  if (m * n * k == 0) return false;
  const any_matrix left(a), right(b, other_way);
  if (m * n * k > small_product && !all_products_in_blocks.load(std::memory_order_relaxed) &&
      !(has_many_blocks(m, n, are_few_rows(m, left, right)) && blocks_are_faster(left.turned, right.turned)))
    return false;
  const bool row = start != nullptr && start != &y;
  if (row && (start->dim() != 1 || start->stride(0) != 1)) return false;
  const block<float> to{static_cast<float*>(y.mutable_data_ptr()), std::max<index_t>(n, y.stride(0))};
  if (row)
    for (index_t i = 0; i < m; ++i) std::copy_n(data<float>(*start), n, to.at + i * to.step);
  multiply_packed(left, right, to, m, n, k, start != nullptr);
  return true;
}

}  // namespace koila::detail
