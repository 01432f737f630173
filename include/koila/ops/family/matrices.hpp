#pragma once
// Products of matrices, of whatever dtype.
#include <koila/shape/work.hpp>

namespace at {
class Tensor;
}

namespace koila {

namespace rules {

/// What `detail::multiply` costs for y = a b. The workspace is both factors and the product in
/// float32, where they have 16 bits.
constexpr auto product_cost(const dims& a, const dims& b, const dims& y, index_t depth) -> work {
  const bool nothing = accumulator_of(y.type) == y.type || a.count() == 0 || b.count() == 0;
  return {2.0 * static_cast<double>(y.count()) * static_cast<double>(depth),
          static_cast<double>(a.bytes() + b.bytes() + y.bytes()),
          nothing ? 0 : (a.count() + b.count() + y.count()) * bytes_of(accumulator_of(y.type)), true};
}

}  // namespace rules

namespace detail {

/// y = a b + start, of matrices or of stacks of matrices; `start` may be null, y itself, or a row
/// that is added to each row. Values of 16 bits are multiplied in float32: LibTorch gives them to
/// oneDNN, whose kernels take memory by rules of each machine's own.
void multiply(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start = nullptr);

}  // namespace detail

}  // namespace koila
