// SPDX-License-Identifier: MIT
#pragma once
// hardtanh: limits x to a range.
#include <koila/ops/internal/hardtanh_backward.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x limited to [min_val, max_val], which is [-1, 1] by default. Booleans are not
/// accepted.
inline constexpr struct hardtanh : detail::activation<hardtanh> {
  static constexpr std::string_view name = "hardtanh";
  using attributes = internal::hardtanh_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.type == dtype::boolean) return reason::no_rule_for_booleans;
    const bool is_negative = (a.min_val.known && a.min_val.value < 0) || (a.max_val.known && a.max_val.value < 0);
    if (x.type == dtype::uint8 && is_negative) return reason::no_rule_for_these_dtypes;
    if (!rules::holds_bound(x.type, a.min_val) || !rules::holds_bound(x.type, a.max_val))
      return reason::number_out_of_range;
    return x;
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::call_with<struct internal::hardtanh_backward>(a, dy, x));
  }
} hardtanh;

}  // namespace koila::inline v0
