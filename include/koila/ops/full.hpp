#pragma once
// full: a constant of one number.
#include <koila/ops/family/constants.hpp>

namespace koila {

/// () -> (sizes...): full(list(2_c, 3_c), fill_value), of float32.
// And the name of an attribute: whether terms of a likelihood count that do not depend on the model, `full = true`.
inline constexpr struct full : constant_op<full>, attribute_name<full> {
  using attribute_name<full>::operator=;
  static constexpr auto of(auto& a) -> decltype((a.full)) { return a.full; }

  static constexpr std::string_view name = "full";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr_list sizes;
    attr<double> fill_value = 0.0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, sizes, fill_value); }
    constexpr void write(auto& w) const { w.put(" of "), sizes.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const attributes& a) -> verdict { return rules::sized(a.sizes); }
  static void evaluate(out y, const attributes& a);
} full;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

namespace koila {

KOILA_INLINE void full::evaluate(out y, const attributes& a) { y.fill_(a.fill_value.value); }

}  // namespace koila
#endif
