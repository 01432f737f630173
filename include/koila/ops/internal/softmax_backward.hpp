// SPDX-License-Identifier: MIT
#pragma once
// softmax_backward: the backward pass of softmax, from its result y.
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/reduction/reduction.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) x (..., n, ...) -> (..., n, ...): y * (dy - sum(dy * y)), with the sum along
/// `dim`.
inline constexpr struct softmax_backward : detail::along_dim<softmax_backward, 2> {
  static constexpr std::string_view name = "softmax_backward";
  static constexpr auto rule(const dims& dy, const dims& y, const attributes& a) -> verdict {
    if (rules::same_shape(dy, y) == detail::tristate::no) return reason::shapes_differ;
    if (!rules::same_type(dy, y)) return reason::dtypes_differ;
    if (!rules::may_float(dy.type) || !rules::may_float(y.type)) return reason::not_a_floating_type;
    return rules::along(rules::merged(dy, y), a, y.type);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y, const attributes& a) {
    const auto total = [&](const auto& x) { return sum(x, koila::dim = a.dim, keepdim = true); };
    const auto dot = mul(dy, y);
    return gradients(softmax_backward{}(d, y, koila::dim = a.dim),
                     sub(mul(d, sub(dy, total(dot))), mul(dy, total(mul(d, y)))));
  }
} softmax_backward;

}  // namespace koila::inline v0::internal
