// SPDX-License-Identifier: MIT
#pragma once
// mean: the mean over some or all dims.
#include <koila/ops/internal/inverse_count.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/precision.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., ...): the mean over the dims `dim`, or over all dims. The divisor is
/// the number of elements in the whole batch, even if the batch runs in chunks.
inline constexpr struct mean : author::op<mean, 1> {
  static constexpr std::string_view name = "mean";
  using attributes = detail::reduction_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    return rules::reduce(x, a, x.type);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::widened(x, [&](const auto& v) {
      return mul(sum(v, koila::dim = a.dim, koila::keepdim = a.keepdim),
                 internal::inverse_count(v, koila::dim = a.dim));
    });
  }
} mean;

}  // namespace koila::inline v0
