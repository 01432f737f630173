// SPDX-License-Identifier: MIT
#pragma once
// broadcast_to: repeats dims of extent 1.
#include <koila/ops/internal/sum_to.hpp>

namespace koila::inline v0::internal {

/// (...) -> (sizes...): a view that repeats dims of extent 1 and adds repeated dims in front.
inline constexpr struct broadcast_to_op : op<broadcast_to_op, 1> {
  static constexpr std::string_view name = "broadcast_to";
  struct attributes {
    dims to;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!x.ranked()) return a.to.with(x.type);
    if (!rules::broadcasts_to(x, a.to)) return reason::not_broadcastable;
    return rules::broadcast(x, a.to, x.type);
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes&) -> relations {
    return flows::elementwise(&x, 1, out);
  }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool {
    return rules::same_shape(x, a.to) == detail::tristate::yes;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes&);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes&) {
    return gradients(sum_to(dy, x));
  }
} broadcast_to_op;

/// Broadcasts x to dims that are known when the graph is built.
constexpr auto broadcast_to(const Expression auto& x, const dims& to) {
  return detail::call_with<struct broadcast_to_op>({to}, x);
}

}  // namespace koila::inline v0::internal
