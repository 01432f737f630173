// SPDX-License-Identifier: MIT
#pragma once
// relu: max(x, 0).
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/relu_backward.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> (...): max(x, 0). Booleans are not allowed.
inline constexpr struct relu : author::unary_number<relu> {
  static constexpr std::string_view name = "relu";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(auto x) { return detail::choose(x < 0, decltype(x){}, x); }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) {
    return gradients(internal::relu_backward(dy, y));
  }
} relu;

}  // namespace koila::inline v0
