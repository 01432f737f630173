#pragma once
// inverse_count: 1 over the number of elements that a mean is taken of.
#include <koila/ops/family/reduction.hpp>

#include <limits>

namespace koila {

/// (..., n, ...) -> (): 1 / n of the dims `dim`, or of all dims, in the whole batch. A constant:
/// only the dims are read.
inline constexpr struct inverse_count : op<inverse_count, 1> {
  static constexpr std::string_view name = "inverse_count";
  using attributes = reduction_attributes;
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

}  // namespace koila
