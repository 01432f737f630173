// SPDX-License-Identifier: MIT
#pragma once
// prod: the product over some or all dims.
#include <koila/ops/internal/prod_over.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., ...): the product over the dims `dim`, or over all dims. Integers
/// become int64.
inline constexpr struct prod : author::op<prod, 1> {
  static constexpr std::string_view name = "prod";
  using attributes = detail::reduction_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::reduce(x, a, x.type == dtype::unknown || is_floating(x.type) ? x.type : dtype::int64);
  }
  /// Reduces the dims one by one, from the last to the first, so that the positions of the
  /// remaining dims stay valid.
  static constexpr auto expand(const auto& x, const attributes& a) {
    const int rank = dims_of(x).rank;
    if (a.all() || rank == 0) return internal::prod_over(x, koila::keepdim = a.keepdim);
    auto y = x;
    for (int d = rank - 1; d >= 0; --d)
      if ((a.bits(rank) >> static_cast<unsigned>(d) & 1U) != 0)
        y = internal::prod_over(y, koila::dim = d, koila::keepdim = a.keepdim);
    return y;
  }
} prod;

}  // namespace koila::inline v0
