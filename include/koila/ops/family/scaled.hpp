#pragma once
// What addcmul and addcdiv share: the number that a product or a quotient is multiplied by before
// it is added.
#include <koila/ops/add.hpp>
#include <koila/ops/div.hpp>

namespace koila {

/// `addcmul(x, a, b, 0.5)`. LibTorch names it value, which is what koila calls what a flow rule
/// sees of an operand.
struct scaled_attributes {
  static constexpr std::size_t positional = 1;
  attr<double> value = 1;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, value); }
  friend constexpr auto operator==(const scaled_attributes&, const scaled_attributes&) -> bool = default;
};

/// An op on three operands and that number.
template <class Op>
struct scaled : ternary<Op, 3> {
  using attributes = scaled_attributes;

 protected:
  static constexpr auto times(const auto& x, const attributes& a) {
    return a.value.value == 1 ? x : mul(x, a.value.value);
  }
};

}  // namespace koila
