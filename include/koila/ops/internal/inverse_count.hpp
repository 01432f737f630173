// SPDX-License-Identifier: MIT
#pragma once
// inverse_count: 1 / n, where n is the number of elements of a mean.
#include <koila/ops/reduction/reduction.hpp>

#include <limits>

namespace koila::inline v0::internal {

/// (..., n, ...) -> (): 1 / n, where n is the number of elements along the dims `dim`, or along all
/// dims, in the whole batch. The result is a constant, because only the dims of x are read.
inline constexpr struct inverse_count : op<inverse_count, 1> {
  static constexpr std::string_view name = "inverse_count";
  using attributes = detail::reduction_attributes;
  static constexpr unsigned shape_only = 1;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (const verdict v = rules::reduce(x, a, x.type); !v.accepted()) return v;
    dims out = scalar(dtype::float64);
    out.number = true;
    return out;
  }
  static constexpr auto constant(const dims& x, const attributes& a) -> double {
    const index_t n = rules::reduced_count(x, a).n;
    return n == 0 ? std::numeric_limits<double>::infinity() : 1.0 / static_cast<double>(n);
  }
} inverse_count;

}  // namespace koila::inline v0::internal
