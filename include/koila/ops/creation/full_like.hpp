// SPDX-License-Identifier: MIT
#pragma once
// full_like: a tensor with the dims of a value, filled with one number.
#include <koila/ops/creation/constants.hpp>

namespace koila::inline v0 {

/// (...) -> (...): full_like(x, fill_value) has the dims and dtype of x. The values of x are not
/// read. The op has no gradient.
inline constexpr struct full_like : detail::filled_like<full_like> {
  static constexpr std::string_view name = "full_like";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<double> fill_value = 0.0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, fill_value); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::holds(x.type, a.fill_value) ? verdict(x.with(x.type)) : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} full_like;

}  // namespace koila::inline v0
