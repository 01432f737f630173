// SPDX-License-Identifier: MIT
#pragma once
// clamp_min: max(x, bound).
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/pointwise/ge.hpp>
#include <koila/ops/pointwise/lt.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: max(x, bound). A boolean result is refused if the bound is a
/// number.
inline constexpr struct clamp_min : author::binary<clamp_min> {
  static constexpr std::string_view name = "clamp_min";
  static constexpr auto rule(const dims& x, const dims& bound) -> verdict {
    const verdict v = rules::broadcast(x, bound);
    return bound.number && v.out.type == dtype::boolean ? verdict(reason::no_rule_for_booleans) : v;
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& bound);
  [[gnu::always_inline]] static auto element(auto x, auto bound) {
    return detail::choose((x != x) | (x > bound), x, bound);
  }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& bound) {
    return gradients(internal::sum_to(where(ge(x, bound), dy, 0), x),
                     internal::sum_to(where(lt(x, bound), dy, 0), bound));
  }
} clamp_min;

}  // namespace koila::inline v0
