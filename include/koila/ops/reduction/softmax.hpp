// SPDX-License-Identifier: MIT
#pragma once
// softmax: exp(x) divided by its sum along `dim`.
#include <koila/ops/internal/softmax_backward.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., n, ...): exp(x) divided by its sum along `dim`.
inline constexpr struct softmax : detail::along_dim<softmax, 1> {
  static constexpr std::string_view name = "softmax";
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.all()) return reason::no_dim_given;
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    return rules::along(x, a, x.type);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&, const attributes& a) {
    return gradients(internal::softmax_backward(dy, y, koila::dim = a.dim));
  }
} softmax;

}  // namespace koila::inline v0
