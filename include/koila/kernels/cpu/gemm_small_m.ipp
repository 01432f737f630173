// SPDX-License-Identifier: MIT
#pragma once
// Products x w^T where x has few rows, for example one sample times a layer's weight. The rows of
// x and of w are contiguous along k, so packing is not necessary.
#include <koila/kernels/cpu/brgemm.ipp>

namespace koila::inline v0::detail {

struct gemm_small_m {
  /// The largest number of rows of x. Products with more rows are faster with the block kernel.
  static constexpr index_t most = 4;
  /// The number of terms along k that are summed before their sum is added to the total.
  static constexpr index_t terms_per_sum = 1024;
  struct product {
    block<const float> x, w;  // (m, k), (n, k)
    block<float> y;  // (m, n)
    index_t m, n, k;
    bool add;
  };

  /// Computes y = x w^T, or y += x w^T if `p.add`.
  static void multiply(const product& p) { functions_of<gemm_small_m, const product&>::best()(p); }

  /// Computes four columns of y at a time. If fewer columns are left, the kernel repeats the last
  /// column and drops the copies.
  [[gnu::always_inline]] static inline void run(const product& p) {
    for (index_t j = 0; j < p.n; j += 4) {
      const index_t columns = std::min<index_t>(4, p.n - j);
      const float* w[4];
      for (index_t c = 0; c < 4; ++c) w[c] = p.w.elements + (j + std::min(c, columns - 1)) * p.w.step;
      for (index_t i = 0; i < p.m; ++i) {
        const float* const x = p.x.elements + i * p.x.step;
        const index_t whole = p.k / 8 * 8;
        eight_floats s[4] = {};
        for (index_t first = 0; first < whole;
             first += terms_per_sum) {  // few terms in a sum, so that float32 loses little precision
          const index_t end = std::min(whole, first + terms_per_sum);
          eight_floats part[4] = {};
          for (index_t l = first; l < end; l += 8) {
            const eight_floats v = *reinterpret_cast<const eight_floats*>(x + l);
            for (int c = 0; c < 4; ++c) part[c] += v * *reinterpret_cast<const eight_floats*>(w[c] + l);
          }
          for (int c = 0; c < 4; ++c) s[c] += part[c];
        }
        four_floats t[4];
        for (int c = 0; c < 4; ++c)
          t[c] = __builtin_shufflevector(s[c], s[c], 0, 1, 2, 3) + __builtin_shufflevector(s[c], s[c], 4, 5, 6, 7);
        const four_floats ab =
            __builtin_shufflevector(t[0], t[1], 0, 4, 1, 5) + __builtin_shufflevector(t[0], t[1], 2, 6, 3, 7);
        const four_floats cd =
            __builtin_shufflevector(t[2], t[3], 0, 4, 1, 5) + __builtin_shufflevector(t[2], t[3], 2, 6, 3, 7);
        const four_floats sums =
            __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
        float* const y = p.y.elements + i * p.y.step + j;
        for (index_t c = 0; c < columns; ++c) {
          float sum = sums[c];
          for (index_t l = whole; l < p.k; ++l) sum += x[l] * w[c][l];
          y[c] = p.add ? y[c] + sum : sum;
        }
      }
    }
  }
};

}  // namespace koila::inline v0::detail
