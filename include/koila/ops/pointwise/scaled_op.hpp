// SPDX-License-Identifier: MIT
#pragma once
// Shared by addcmul and addcdiv: the number by which the product or the quotient is multiplied.
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0::detail {

/// The attribute `value` of addcmul(x, a, b, 0.5), named as in LibTorch. This is not the struct
/// `value`, which is an argument of flow rules.
struct scaled_attributes {
  static constexpr std::size_t positional = 1;
  attr<double> value = 1;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, value); }
  friend constexpr auto operator==(const scaled_attributes&, const scaled_attributes&) -> bool = default;
};

/// An op on three operands with the attribute `value`.
template <class Op>
struct scaled_op : ternary<Op, 3> {
  using attributes = scaled_attributes;

 protected:
  static constexpr auto times(const auto& x, const attributes& a) {
    return a.value.value == 1 ? x : mul(x, a.value.value);
  }
};

}  // namespace koila::inline v0::detail
