// SPDX-License-Identifier: MIT
#pragma once
// full: a tensor filled with one number.
#include <koila/ops/creation/constants.hpp>

namespace koila::inline v0 {

namespace detail {

/// A fill value, and the dtype of a tensor that is filled with it.
struct filling {
  attr<double> number = 0.0;
  attr<index_t> whole = 0;  // the exact value of an integer
  dtype type = dtype::unknown;  // unknown if no number is given

  template <class V>
    requires requires(const V& v) { as_attr<double>(v); }
  constexpr void assign(const V& v) {
    number = as_attr<double>(v);
    type = dtype::float32;
    if constexpr (requires { as_attr<index_t>(v); }) {
      whole = as_attr<index_t>(v);
      type = dtype::int64;
    }
    if constexpr (std::is_same_v<V, bool> || std::is_same_v<V, attr<bool>>) type = dtype::boolean;
  }
  friend constexpr auto operator==(const filling&, const filling&) -> bool = default;
};

}  // namespace detail

// `full` is also the name of an attribute: with full = true, gaussian_nll_loss and poisson_nll_loss
// include the terms that do not depend on the model.
/// () -> (sizes...): full(list_of(2_c, 3_c), fill_value) has the dims (2, 3), and every element is
/// fill_value. The dtype is float32, int64 or bool, depending on the C++ type of fill_value.
inline constexpr struct full : detail::constant_op<full>, detail::attribute_name<full> {
  using detail::attribute_name<full>::operator=;
  static constexpr auto member(auto& a) -> decltype((a.full)) { return a.full; }

  static constexpr std::string_view name = "full";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr_list sizes;
    detail::filling fill_value;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, sizes, fill_value); }
    constexpr void write(auto& w) const { w.put(" of "), sizes.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const attributes& a) -> verdict {
    if (a.fill_value.type == dtype::unknown) return reason::no_number_given;
    if (a.fill_value.type == dtype::float32 && !rules::holds(dtype::float32, a.fill_value.number))
      return reason::number_out_of_range;
    const verdict v = rules::sized(a.sizes);
    return v.accepted() ? verdict(v.out.with(a.fill_value.type)) : v;
  }
  static void evaluate(at::Tensor& y, const attributes& a);
} full;

}  // namespace koila::inline v0
