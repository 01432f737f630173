// SPDX-License-Identifier: MIT
#pragma once
// Shared by the one-pass layer_norm and its backward ops.
#include <koila/ops/normalization/normalisation.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attribute of the one-pass layer_norm. `eps` is added to the variance.
struct layer_norm_attributes {
  attr<double> eps = 1e-5;
  friend constexpr auto operator==(const layer_norm_attributes&, const layer_norm_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// Returns the number of groups of rows that are summed separately. This number does not depend on
/// the number of threads.
constexpr auto parts_of_rows(index_t rows) -> index_t { return rows < 512 ? 1 : rows < 4096 ? rows / 256 : 16; }

}  // namespace rules

namespace flows {

/// The result is per sample if the samples lie along any dim except the last `last` dims. If the
/// samples lie along one of the last dims, the op needs every operand as a whole.
constexpr auto normalised(const value* operands, int n, const dims& out, int last) -> relations {
  for (int i = 0; i < n; ++i)
    if (operands[i].batch_relation.sampled() && operands[i].batch_relation.axis >= operands[i].dims.rank - last)
      return gather(operands, n, out);
  return elementwise(operands, n, out);
}

}  // namespace flows

namespace detail {

/// Normalises x to mean 0 and variance 1 over its last dims. pull(d) is the gradient with respect
/// to x if d is the gradient with respect to the result.
template <class X>
struct row_normalisation {
  unsigned over;
  X scale, y;

  constexpr row_normalisation(const X& x, int last, double eps)
      : over(dims_between(dims_of(x).rank - last, dims_of(x).rank)),
        scale(rsqrt(add(moments_over(x, over, dims_of(x).rank).variance, eps))),
        y(mul(sub(x, moments_over(x, over, dims_of(x).rank).mean), scale)) {}
  constexpr auto mean(const X& v) const -> X { return mean_over(v, over); }
  constexpr auto pull(const X& d) const -> X { return mul(scale, sub(sub(d, mean(d)), mul(y, mean(mul(d, y))))); }
};

}  // namespace detail
}  // namespace koila::inline v0
