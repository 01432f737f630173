// SPDX-License-Identifier: MIT
#pragma once
// inverse_degrees: 1 / (degrees of freedom of a variance).
#include <koila/ops/reduction/reduction.hpp>

#include <limits>

namespace koila::inline v0 {

namespace internal {

/// The attributes of a variance, as in var(x), var(x, 1_c, correction = 0) or var(x, dim =
/// list_of(0_c, 2_c), keepdim = true).
struct variance_attributes : detail::reduction_attributes {
  attr<double> correction = 1.0;
  friend constexpr auto operator==(const variance_attributes&, const variance_attributes&) -> bool = default;
};

/// (..., n, ...) -> (): 1 / (n - correction), where n is the number of elements along the dims
/// `dim`, or along all dims, in the whole batch. The result is infinity if n - correction is not
/// positive. The result is a constant, because only the dims of x are read.
inline constexpr struct inverse_degrees : op<inverse_degrees, 1> {
  static constexpr std::string_view name = "inverse_degrees";
  using attributes = variance_attributes;
  static constexpr unsigned shape_only = 1;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (const verdict v = rules::reduce(x, a, x.type); !v.accepted()) return v;
    dims out = scalar(dtype::float64);
    out.number = true;
    return out;
  }
  static constexpr auto constant(const dims& x, const attributes& a) -> double {
    const double n = static_cast<double>(rules::reduced_count(x, a).n) - a.correction.value;
    return n <= 0 ? std::numeric_limits<double>::infinity() : 1.0 / n;
  }
} inverse_degrees;

}  // namespace internal

}  // namespace koila::inline v0
