// SPDX-License-Identifier: MIT
#pragma once
// std: the standard deviation over some or all dims.
#include <koila/ops/internal/power.hpp>
#include <koila/ops/reduction/var.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., ...): the standard deviation over the dims `dim`, or over all dims. If
/// the standard deviation is 0, its gradient is 0. Call the op as koila::std(x), like at::std.
/// Only the object is named std, because a type of this name would hide the standard library's
/// namespace.
inline constexpr struct stddev : author::op<stddev, 1> {
  static constexpr std::string_view name = "std";
  using attributes = internal::variance_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::variance(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::widened(x, [&](const auto& v) {
      return internal::power(var(v, koila::dim = a.dim, koila::keepdim = a.keepdim, koila::correction = a.correction),
                             koila::internal::exponent = 0.5);
    });
  }
} std;

}  // namespace koila::inline v0
