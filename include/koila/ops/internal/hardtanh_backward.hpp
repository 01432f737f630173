// SPDX-License-Identifier: MIT
#pragma once
// hardtanh_backward: the gradient of hardtanh.
#include <koila/ops/activation/activation.hpp>

namespace koila::inline v0 {

namespace internal {

/// The attributes of hardtanh, as in hardtanh(x, -2, 2) or hardtanh(x, max_val = 6).
struct hardtanh_attributes {
  static constexpr std::size_t positional = 2;
  attr<double> min_val = -1.0, max_val = 1.0;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, min_val, max_val); }
  friend constexpr auto operator==(const hardtanh_attributes&, const hardtanh_attributes&) -> bool = default;
};

/// (...) x (...) -> (...): 0 where x <= min_val or x >= max_val, else dy. The result is dy where x
/// is NaN.
inline constexpr struct hardtanh_backward : detail::straight_backward<hardtanh_backward> {
  static constexpr std::string_view name = "hardtanh_backward";
  using attributes = hardtanh_attributes;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::slopes(dy, x);
    return rules::holds_bound(v.out.type, a.min_val) && rules::holds_bound(v.out.type, a.max_val)
               ? v
               : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::all_elements;
} hardtanh_backward;

}  // namespace internal

}  // namespace koila::inline v0
