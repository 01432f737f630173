// SPDX-License-Identifier: MIT
#pragma once
// tanhshrink: x - tanh(x).
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/pointwise/tanh.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x - tanh(x). Integers become float32.
inline constexpr struct tanhshrink : author::op<tanhshrink, 1> {
  static constexpr std::string_view name = "tanhshrink";
  static constexpr auto rule(const dims& x) -> verdict { return x.with(rules::floating(x.type)); }
  static constexpr auto expand(const auto& x) { return sub(x, ops::tanh(x)); }
} tanhshrink;

}  // namespace koila::inline v0
