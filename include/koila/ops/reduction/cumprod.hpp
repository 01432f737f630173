// SPDX-License-Identifier: MIT
#pragma once
// cumprod: cumulative products.
#include <koila/ops/internal/cumprod_backward.hpp>
#include <koila/ops/reduction/cumsum.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., n, ...): the cumulative product along `dim`. Integers become int64.
inline constexpr struct cumprod : detail::along_dim<cumprod, 1> {
  static constexpr std::string_view name = "cumprod";
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::cumulative(x, a); }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost { return cumsum::cost(x, out); }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(internal::cumprod_backward(dy, x, koila::dim = a.dim));
  }
} cumprod;

}  // namespace koila::inline v0
