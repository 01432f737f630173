// SPDX-License-Identifier: MIT
#pragma once
// log_softmax_backward: the gradient of log_softmax, given its result y.
#include <koila/ops/pointwise/exp.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/reduction/reduction.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) x (..., n, ...) -> (..., n, ...): dy - exp(y) * sum(dy), with the sum along `dim`.
inline constexpr struct log_softmax_backward : detail::along_dim<log_softmax_backward, 2> {
  static constexpr std::string_view name = "log_softmax_backward";
  static constexpr auto rule(const dims& dy, const dims& y, const attributes& a) -> verdict {
    if (rules::same_shape(dy, y) == detail::tristate::no) return reason::shapes_differ;
    if (!rules::same_type(dy, y)) return reason::dtypes_differ;
    if (!rules::may_float(dy.type) || !rules::may_float(y.type)) return reason::not_a_floating_type;
    return rules::along(rules::merged(dy, y), a, y.type);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y, const attributes& a) {
    const auto total = [&](const auto& x) { return sum(x, koila::dim = a.dim, keepdim = true); };
    const auto probabilities = ops::exp(y);
    return gradients(sub(d, total(mul(d, probabilities))), neg(mul(mul(d, probabilities), total(dy))));
  }
} log_softmax_backward;

}  // namespace koila::inline v0::internal
