// SPDX-License-Identifier: MIT
#pragma once
// Definitions of matrices.hpp.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/packed_product.ipp>
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/common/matrix_operators.ipp>
#include <koila/ops/linalg/matrices.hpp>

#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm_ops.h>

namespace koila::inline v0::detail {

/// Computes y += a b by BLAS, for float32 matrices on the host. Each tile of the product is
/// computed on the stack and then added to y, so that y is rounded once. BLAS would round y once
/// for each of its blocks along k, which loses precision if y is already the sum of many products.
inline void add_product_in_tiles(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  constexpr index_t elements = 32 << 10, most_columns = 512;
  alignas(64) float sums[elements];
  const index_t m = y.size(0), n = y.size(1), k = a.size(1), step = std::max<index_t>(n, y.stride(0));
  float* const to = static_cast<float*>(y.mutable_data_ptr());
  in_steps(0, n, most_columns, [&](index_t j, index_t columns) {
    in_steps(0, m, elements / columns, [&](index_t i, index_t rows) {
      try {
        at::Tensor part = at::from_blob(sums, {rows, columns}, y.options());
        at::_ops::mm_out::call(a.narrow(0, i, rows), b.narrow(1, j, columns), part);
      } catch (...) {  // BLAS found no memory; earlier tiles are already added, so plain loops compute the rest
        std::fill_n(sums, rows * columns, 0.0F);
        const float *const left = data<float>(a), *const right = data<float>(b);
        for (index_t r = 0; r < rows; ++r)
          for (index_t l = 0; l < k; ++l)
            for (index_t c = 0; c < columns; ++c)
              sums[r * columns + c] +=
                  left[(i + r) * a.stride(0) + l * a.stride(1)] * right[l * b.stride(0) + (j + c) * b.stride(1)];
      }
      for (index_t r = 0; r < rows; ++r)
        for (index_t c = 0; c < columns; ++c) to[(i + r) * step + j + c] += sums[r * columns + c];
    });
  });
}

inline void multiply_now(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start) {
  if (multiply_in_blocks(y, a, b, start)) return;
  const bool adds_many = start == &y && y.dim() == 2 && y.scalar_type() == at::kFloat && a.size(1) > deep_product;
  if (adds_many && y.numel() > 0) return add_product_in_tiles(y, a, b);
  multiply_by_operator(y, a, b, start);
}

inline void multiply(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start) {
  if (!of_16_bits(y)) return multiply_now(y, a, b, start);
  if (a.numel() == 0 || b.numel() == 0) {
    if (start == nullptr) y.zero_();
    else if (start != &y) y.copy_(*start);
    return;
  }
  as_float32 to(y, false), left(a), right(b);
  if (start != nullptr) (*to).copy_(*start);
  multiply_now(*to, *left, *right, start != nullptr ? &*to : nullptr);
  to.round();
}

}  // namespace koila::inline v0::detail
