// SPDX-License-Identifier: MIT
#pragma once
// Shared by losses with a margin.
#include <koila/ops/loss/loss.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attributes of a loss with a margin, namely `margin` (0 by default) and the reduction.
struct margin_attributes : loss_attributes {
  attr<double> margin = 0;
  friend constexpr auto operator==(const margin_attributes&, const margin_attributes&) -> bool = default;
};

/// margin_attributes with a default margin of 1.
struct wide_margin_attributes : margin_attributes {
  constexpr wide_margin_attributes() { margin = 1; }
  friend constexpr auto operator==(const wide_margin_attributes&, const wide_margin_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// The rule of three operands that broadcast.
constexpr auto broadcast_all(const dims& x, const dims& y, const dims& z) -> verdict {
  const dtype type = result_type(x, y, z);
  const verdict v = broadcast(x, y, type);
  return v.accepted() ? broadcast(v.out, z, type) : v;
}

}  // namespace rules
}  // namespace koila::inline v0
