#pragma once
// What losses with a margin share.
#include <koila/ops/family/loss.hpp>

namespace koila {

/// By how much two values must differ.
inline constexpr struct margin : attribute_name<margin> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.margin)) { return a.margin; }
} margin;

/// `margin`, 0 where not given, and the reduction.
struct margin_attributes : loss_attributes {
  attr<double> margin = 0;
  friend constexpr auto operator==(const margin_attributes&, const margin_attributes&) -> bool = default;
};

/// The same where the margin is 1 if not given.
struct wide_margin_attributes : margin_attributes {
  constexpr wide_margin_attributes() { margin = 1; }
  friend constexpr auto operator==(const wide_margin_attributes&, const wide_margin_attributes&) -> bool = default;
};

namespace rules {

/// Three operands that broadcast.
constexpr auto broadcast_all(const dims& x, const dims& y, const dims& z) -> verdict {
  const dtype type = result_type(x, y, z);
  const verdict v = broadcast(x, y, type);
  return v.accepted() ? broadcast(v.out, z, type) : v;
}

}  // namespace rules
}  // namespace koila
