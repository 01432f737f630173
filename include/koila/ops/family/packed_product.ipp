#pragma once
// Products of float32 matrices by kernels of small blocks: what lies the other way is packed on the stack, block by block. For small
// products, whose calls of BLAS take longer than their arithmetic, and where a machine's BLAS is slower than these kernels.
#include <koila/ops/family/few_rows.ipp>
#include <koila/ops/family/least_seconds.ipp>

#include <ATen/Parallel.h>

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

/// y (rows from `i` to `i_end`, columns from `j` to `j_end`) = a b, or y += a b.
inline void multiply_range(const any_matrix& a, const any_matrix& b, block<float> y, index_t k, index_t i_begin, index_t i_end,
                           index_t j_begin, index_t j_end, bool add) {
  packed_blocks own;
  for (index_t j = j_begin; j < j_end; j += block_side) {
    const index_t columns = std::min(block_side, j_end - j);
    for (index_t l = 0; l < k; l += block_depth) {
      const index_t depth = std::min(block_depth, k - l);
      block<const float> right{b.at + l * b.step + j, b.step};
      if (b.turned) {
        transpose_block<float>(columns, depth, {b.at + j * b.step + l, b.step}, {own.b, columns});
        right = {own.b, columns};
      } else if (i_end - i_begin > 4 * block_side) {  // read so often that it had better lie together
        for (index_t r = 0; r < depth; ++r) std::copy_n(right.at + r * right.step, columns, own.b + r * columns);
        right = {own.b, columns};
      }
      for (index_t i = i_begin; i < i_end; i += block_side) {
        const index_t rows = std::min(block_side, i_end - i);
        block<const float> left{a.at + i * a.step + l, a.step};
        if (a.turned) {
          transpose_block<float>(depth, rows, {a.at + l * a.step + i, a.step}, {own.a, depth});
          left = {own.a, depth};
        }
        multiply_blocks<float>(rows, columns, depth, left, right, {y.at + i * y.step + j, y.step}, add || l > 0);
      }
    }
  }
}

/// y = a b, or y += a b, on LibTorch's threads.
inline void multiply_packed(const any_matrix& a, const any_matrix& b, block<float> y, index_t m, index_t n, index_t k,
                            bool add) {
  const bool by_rows = m >= n, few = m <= few_rows::most && b.turned && !a.turned;
  const index_t parts = ((by_rows ? m : n) + block_side - 1) / block_side;
  const index_t worth_a_thread =
      std::max<index_t>(1, (index_t{1} << 20) / std::max<index_t>(1, block_side * k * (by_rows ? n : m)));
  at::parallel_for(0, parts, worth_a_thread, [&](index_t begin, index_t end) {
    const index_t from = begin * block_side, to = std::min(end * block_side, by_rows ? m : n);
    const index_t i = by_rows ? from : 0, i_end = by_rows ? to : m, j = by_rows ? 0 : from, j_end = by_rows ? n : to;
    if (!few) return multiply_range(a, b, y, k, i, i_end, j, j_end, add);
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

/// Whether large products are faster in blocks than by BLAS, by more than chance. Measured once, in some milliseconds.
inline auto blocks_are_faster() -> bool {
  static const bool faster = [] {
    constexpr index_t m = 128, n = 512, k = 512;
    std::vector<float> a(m * k, 0.5F), b(k * n, 0.25F), y(m * n);
    const auto view = [](std::vector<float>& v, index_t rows, index_t columns) {
      return at::from_blob(v.data(), {rows, columns}, at::kFloat);
    };
    const at::Tensor x = view(a, m, k), w = view(b, n, k).t();
    at::Tensor z = view(y, m, n);
    return least_seconds_of(0, [&] { multiply_packed(any_matrix(x), any_matrix(w), {y.data(), n}, m, n, k, false); }) * 1.2 <
           least_seconds_of(0, [&] { at::_ops::mm_out::call(x, w, z); });
  }();
  return faster;
}

/// y = a b + start where that is faster in blocks; false where it is left to BLAS. `start` as that of `multiply`, whose callers take
/// factors of layout::matrix, and whose results are contiguous. `other_way`: b's transpose is meant.
inline auto multiply_in_blocks(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start,
                               bool other_way = false) -> bool {
  if (y.dim() != 2 || y.scalar_type() != at::kFloat || !on_host(y) || !has_block_kernels()) return false;
  const index_t m = y.size(0), n = y.size(1), k = a.size(1);
  if (m * n * k == 0) return false;
  if (m * n * k > small_product && !all_products_in_blocks.load(std::memory_order_relaxed) && !blocks_are_faster())
    return false;
  const bool row = start != nullptr && start != &y;
  if (row && (start->dim() != 1 || start->stride(0) != 1)) return false;
  const block<float> to{static_cast<float*>(y.mutable_data_ptr()), std::max<index_t>(n, y.stride(0))};
  if (row)
    for (index_t i = 0; i < m; ++i) std::copy_n(data<float>(*start), n, to.at + i * to.step);
  multiply_packed(any_matrix(a), any_matrix(b, other_way), to, m, n, k, start != nullptr);
  return true;
}

}  // namespace koila::detail
