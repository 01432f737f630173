// SPDX-License-Identifier: MIT
#pragma once
// masked_fill: a scalar where a mask is true.
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/to_dtype.hpp>

namespace koila::inline v0 {

/// (...) x bool (...) x () -> (...), the first two operands broadcast: the scalar where the mask is
/// true, else x. The result has the dtype of x, to which the scalar is converted.
inline constexpr struct masked_fill : author::ternary<masked_fill> {
  static constexpr std::string_view name = "masked_fill";
  static constexpr auto rule(const dims& x, const dims& mask, const dims& v) -> verdict {
    if (x.number) return reason::no_rule_for_these_dtypes;
    if (mask.number || (mask.type != dtype::unknown && mask.type != dtype::boolean)) return reason::mask_is_not_boolean;
    if (v.ranked() && v.rank != 0) return reason::not_a_scalar;
    return rules::broadcast(x, mask, x.type);
  }
  static constexpr auto expand(const auto& x, const auto& mask, const auto& v) {
    const dims to = dims_of(x);
    if (result_type(dims_of(v), to) == to.type) return where(mask, v, x);
    return where(mask, detail::call_with<struct internal::to_dtype>({to.type}, v), x);
  }
} masked_fill;

}  // namespace koila::inline v0
