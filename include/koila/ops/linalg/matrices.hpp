// SPDX-License-Identifier: MIT
#pragma once
// Matrix products of any dtype.
#include <koila/shape/op_cost.hpp>

namespace at {
class Tensor;
}

namespace koila::inline v0 {

namespace rules {

/// Returns the cost of `detail::multiply` for y = a b, where each element is a sum of `depth`
/// products. For 16-bit dtypes the workspace holds float32 copies of both factors and the product.
constexpr auto product_cost(const dims& a, const dims& b, const dims& y, index_t depth) -> op_cost {
  const bool nothing = detail::accumulator_of(y.type) == y.type || a.count() == 0 || b.count() == 0;
  return {2.0 * static_cast<double>(y.count()) * static_cast<double>(depth),
          static_cast<double>(a.bytes() + b.bytes() + y.bytes()),
          nothing ? 0 : (a.count() + b.count() + y.count()) * detail::bytes_of(detail::accumulator_of(y.type)), true};
}

}  // namespace rules

namespace detail {

/// Computes y = a b + start, for matrices or stacks of matrices. `start` may be null, y itself, or
/// a row that is added to each row of the product. 16-bit values are multiplied in float32, because
/// LibTorch would pass 16-bit values to oneDNN, whose kernels allocate different amounts of memory
/// on different machines.
void multiply(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start = nullptr);

}  // namespace detail

}  // namespace koila::inline v0
