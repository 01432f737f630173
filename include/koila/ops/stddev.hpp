#pragma once
// std: the standard deviation over some dims or all.
#include <koila/ops/power.hpp>
#include <koila/ops/var.hpp>

namespace koila {

/// (..., n, ...) -> (..., ...): the square root of the variance over the dims `dim`, or over all.
/// Where it is 0, so is its gradient. Called koila::std(x), as at::std: the standard library's
/// namespace has that name too. The type must not have it.
inline constexpr struct stddev : op<stddev, 1> {
  static constexpr std::string_view name = "std";
  using attributes = variance_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::variance(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::widened(x, [&](const auto& v) {
      return power(var(v, koila::dim = a.dim, koila::keepdim = a.keepdim, koila::correction = a.correction),
                   koila::exponent = 0.5);
    });
  }
} std;

}  // namespace koila
