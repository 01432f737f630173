// SPDX-License-Identifier: MIT
#pragma once
// cumsum: cumulative sums.
#include <koila/ops/internal/cumsum_backward.hpp>

namespace koila::inline v0 {

namespace rules {

/// (..., n, ...) -> (..., n, ...) along a dim that must be given. Integers become int64.
constexpr auto cumulative(const dims& x, const detail::along_attributes& a) -> verdict {
  if (a.all()) return reason::no_dim_given;
  return along(x, a, x.type == dtype::unknown || is_floating(x.type) ? x.type : dtype::int64);
}

}  // namespace rules

/// (..., n, ...) -> (..., n, ...): the cumulative sum along `dim`. Integers become int64.
inline constexpr struct cumsum : detail::along_dim<cumsum, 1> {
  static constexpr std::string_view name = "cumsum";
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::cumulative(x, a); }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()),
            detail::converted(x, out.type)};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes& a) {
    return gradients(internal::cumsum_backward(dy, koila::dim = a.dim));
  }
} cumsum;

}  // namespace koila::inline v0
