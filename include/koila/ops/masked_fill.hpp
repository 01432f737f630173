#pragma once
// masked_fill: a value where a mask is true.
#include <koila/ops/expand_like.hpp>
#include <koila/ops/where.hpp>

namespace koila {

/// (...) x bool (...) x () -> (...), the first two broadcast: the scalar where the mask is true, else x. Of x's dtype.
inline constexpr struct masked_fill : ternary<masked_fill> {
  static constexpr std::string_view name = "masked_fill";
  static constexpr auto rule(const dims& x, const dims& mask, const dims& v) -> verdict {
    if (mask.number || (mask.type != dtype::unknown && mask.type != dtype::boolean)) return why::mask_is_not_boolean;
    if (v.ranked() && v.rank != 0) return why::not_a_scalar;
    if (!v.number && is_floating(v.type) && x.type != dtype::unknown && !is_floating(x.type)) return why::dtypes_differ;
    return rules::broadcast(x, mask, x.number ? result_type(x, v) : x.type);
  }
  static constexpr auto expand(const auto& x, const auto& mask, const auto& v) {
    const dims from = dims_of(v), to = dims_of(x);
    if (to.number || result_type(from, to) == to.type) return where(mask, v, x);
    // A number becomes one of x's dtype where it is repeated, another scalar as x is one.
    return where(mask, from.number ? expand_like(v, x) : sum_to(v, x), x);
  }
} masked_fill;

}  // namespace koila
