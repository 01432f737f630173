// SPDX-License-Identifier: MIT
#pragma once
// log_softmax: the logarithm of softmax along `dim`.
#include <koila/ops/internal/log_softmax_backward.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., n, ...): the logarithm of softmax along `dim`.
inline constexpr struct log_softmax : detail::along_dim<log_softmax, 1> {
  static constexpr std::string_view name = "log_softmax";
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.all()) return reason::no_dim_given;
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    return rules::along(x, a, x.type);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&, const attributes& a) {
    return gradients(internal::log_softmax_backward(dy, y, koila::dim = a.dim));
  }
} log_softmax;

}  // namespace koila::inline v0
