// SPDX-License-Identifier: MIT
#pragma once
// causal_fill: replaces the elements above the diagonal.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0::internal {

/// (..., l, s) -> (..., l, s): x[..., i, j] where j <= i, else `otherwise`. If `otherwise` is minus
/// infinity, the op masks attention scores as is_causal does. If `otherwise` is 0, the result is
/// the lower triangle.
inline constexpr struct causal_fill : op<causal_fill, 1> {
  static constexpr std::string_view name = "causal_fill";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<double> otherwise = 0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, otherwise); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes&) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    if (x.ranked() && x.rank < 2) return reason::no_rule_for_these_ranks;
    return x.with(x.type);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes&) -> relations {
    if (x.batch_relation.sampled() && x.batch_relation.axis >= out.rank - 2) return flows::gather(&x, 1, out);
    return flows::elementwise(&x, 1, out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes&) {
    return gradients(causal_fill{}(dy, 0.0));
  }
} causal_fill;

}  // namespace koila::inline v0::internal
