// SPDX-License-Identifier: MIT
#pragma once
// where: a where a mask is true, else b.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// bool (...) x (...) x (...) -> (...), broadcast: a where the mask is true, else b.
inline constexpr struct where : author::ternary<where> {
  static constexpr std::string_view name = "where";
  static constexpr auto rule(const dims& mask, const dims& a, const dims& b) -> verdict {
    if (mask.number || (mask.type != dtype::unknown && mask.type != dtype::boolean)) return reason::mask_is_not_boolean;
    return rules::broadcast(mask, a, b, result_type(a, b));
  }
  static constexpr auto cost(const dims& mask, const dims& a, const dims& b, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()), static_cast<double>(mask.bytes() + a.bytes() + b.bytes() + out.bytes()),
            detail::converted(a, out.type) + detail::converted(b, out.type)};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& mask, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& mask, const auto& a, const auto& b) {
    return gradients(no_gradient, internal::sum_to(where{}(mask, dy, 0), a), internal::sum_to(where{}(mask, 0, dy), b));
  }
} where;

}  // namespace koila::inline v0
