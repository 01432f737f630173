// SPDX-License-Identifier: MIT
#pragma once
// binary_cross_entropy: the binary cross entropy of probabilities.
#include <koila/ops/internal/bce.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (), or (...) with kNone: -(y * log(x) + (1 - y) * log(1 - x)) for probabilities
/// x. A logarithm below -100 counts as -100. An optional third operand weights the losses and is
/// broadcast to them.
inline constexpr struct binary_cross_entropy : author::op<binary_cross_entropy, 3> {
  static constexpr std::string_view name = "binary_cross_entropy";
  using attributes = detail::loss_attributes;
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    return rules::reduced(decltype(internal::bce)::rule(x, y), a.reduction);
  }
  static constexpr auto rule(const dims& x, const dims& y, const dims& weight, const attributes& a) -> verdict {
    return rules::reduced(rules::weighted(decltype(internal::bce)::rule(x, y), weight), a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& y, const attributes& a) {
    return detail::reduce(internal::bce(x, y), a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& y, const auto& weight, const attributes& a) {
    return detail::reduce(mul(internal::bce(x, y), weight), a.reduction);
  }
} binary_cross_entropy;

}  // namespace koila::inline v0
