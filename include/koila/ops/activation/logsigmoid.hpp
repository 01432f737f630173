// SPDX-License-Identifier: MIT
#pragma once
// logsigmoid: the logarithm of sigmoid.
#include <koila/ops/activation/softplus.hpp>
#include <koila/ops/pointwise/neg.hpp>

namespace koila::inline v0 {

/// (...) -> (...): log(sigmoid(x)). Floating-point only.
inline constexpr struct logsigmoid : author::op<logsigmoid, 1> {
  static constexpr std::string_view name = "logsigmoid";
  static constexpr std::string_view aten = "log_sigmoid";
  static constexpr auto rule(const dims& x) -> verdict { return rules::of_floats(x); }
  /// The threshold is 40, because log(1 + e^x) equals x for x > 40 even in float64.
  static constexpr auto expand(const auto& x) { return neg(softplus(neg(x), 1, 40)); }
} logsigmoid;

}  // namespace koila::inline v0
