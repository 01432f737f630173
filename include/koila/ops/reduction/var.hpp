// SPDX-License-Identifier: MIT
#pragma once
// var: the variance over some or all dims.
#include <koila/ops/internal/inverse_degrees.hpp>
#include <koila/ops/normalization/normalisation.hpp>

namespace koila::inline v0 {

namespace rules {

/// (..., n, ...) -> (..., ...): the dims of the variance of a floating-point value.
constexpr auto variance(const dims& x, const internal::variance_attributes& a) -> verdict {
  if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
  return reduce(x, a, x.type);
}

}  // namespace rules

/// (..., n, ...) -> (..., ...): the variance over the dims `dim`, or over all dims. The variance is
/// the sum of squared differences from the mean, divided by (number of elements - correction). The
/// mean and the number are those of the whole batch, even if the batch runs in chunks.
inline constexpr struct var : author::op<var, 1> {
  static constexpr std::string_view name = "var";
  using attributes = internal::variance_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::variance(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const dims d = dims_of(x);  // the dims of an operand are known; the dims of computed values may be unknown
    const auto n = static_cast<double>(rules::reduced_count(d, a).n);
    return detail::widened(x, [&](const auto& v) {
      const auto variance = detail::moments_over(v, a.bits(d.rank), d.rank).variance;
      // The two factors are multiplied first, because the variance times n may overflow.
      return mul(detail::reshape_to(variance, rules::reduce(d, a, d.type).out),
                 mul(internal::inverse_degrees(v, koila::dim = a.dim, koila::correction = a.correction), n));
    });
  }
} var;

}  // namespace koila::inline v0
