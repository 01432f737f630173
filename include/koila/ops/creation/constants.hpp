// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops whose values do not depend on the elements of an operand: zeros, arange, eye,
// zeros_like and similar ops.
#include <koila/ops/indexing/index_remap.hpp>
#include <koila/ops/indexing/reshape.hpp>

namespace koila::inline v0 {

namespace detail {

/// (...) -> (...): a value with x's dims and dtype. The op does not read x's elements and has no
/// gradient.
template <class Op>
struct filled_like : op<Op, 1> {
  static constexpr unsigned shape_only = 1;
  static constexpr auto rule(const dims& x) -> verdict { return x.with(x.type); }
  static constexpr auto flow(const value& x, const dims&) -> relations {
    relations f;
    f.out = x.batch_relation;
    return f;
  }
  static constexpr auto cost(const dims&, const dims& out) -> op_cost {
    return {0, static_cast<double>(out.bytes()), 0};
  }
};

/// An op without operands. The result does not depend on the batch. Each run that uses the result
/// computes it on the run's device. A call with attributes returns an expression, even in a model
/// that is called with plain tensors.
template <class Op>
struct constant_op : op<Op, 0>, refusing_constant<Op> {
  using op<Op, 0>::operator();
  using refusing_constant<Op>::operator();
  template <class... Ts>
  static constexpr bool takes_form = (Attribute<Ts> && ...);
  static constexpr auto flow(const dims&, const auto&) -> relations { return relations{}; }
  static constexpr auto cost(const dims& out) -> op_cost { return {0, static_cast<double>(out.bytes()), 0}; }
  template <Attribute... As>
    requires Accepts<Op, As...>
  constexpr auto operator()(const As&... as) const {
    return node<Op, result_of<Op, As...>>(attributes_from<Op>(as...));
  }
};

/// The sizes of a constant, as in zeros(2_c, 3_c) or zeros(list_of(2, 3)).
struct size_attributes {
  static constexpr std::size_t positional = dims::capacity;
  attr_list sizes;
  constexpr void set(std::size_t, const auto& v) { detail::append(sizes, v); }
  constexpr void write(auto& w) const { w.put(" of "), sizes.write(w); }
  friend constexpr auto operator==(const size_attributes&, const size_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// The dims of a float32 value with these sizes.
constexpr auto sized(const attr_list& sizes) -> verdict {
  dims out = detail::open_dims(sizes.n, dtype::float32);
  for (int i = 0; i < sizes.n; ++i) {
    if (sizes.e[i].known && sizes.e[i].value < 0) return reason::size_out_of_range;
    if (sizes.e[i].known) out.e[i] = extent{sizes.e[i].value};
  }
  return out;
}

}  // namespace rules
}  // namespace koila::inline v0
