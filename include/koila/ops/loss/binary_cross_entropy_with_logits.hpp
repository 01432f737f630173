// SPDX-License-Identifier: MIT
#pragma once
// binary_cross_entropy_with_logits: the binary cross entropy of sigmoid(x).
#include <koila/ops/activation/softplus.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (), or (...) with kNone: -(y * log(s) + (1 - y) * log(1 - s)) with s =
/// sigmoid(x). The op does not compute s, because s may round to 0 or 1, where a logarithm is
/// infinite. An optional third operand weights the losses. An optional fourth operand weights only
/// the term y * log(s). Both weights are broadcast to the losses. A third operand of 1 means no
/// weight, as in binary_cross_entropy_with_logits(x, y, 1, pos_weight).
inline constexpr struct binary_cross_entropy_with_logits : author::op<binary_cross_entropy_with_logits, 4> {
  static constexpr std::string_view name = "binary_cross_entropy_with_logits";
  static constexpr double aten_absent[] = {0, 0, 1};
  using attributes = detail::loss_attributes;
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    return rules::reduced(of_logits(x, y), a.reduction);
  }
  static constexpr auto rule(const dims& x, const dims& y, const dims& weight, const attributes& a) -> verdict {
    return rules::reduced(rules::weighted(of_logits(x, y), weight), a.reduction);
  }
  static constexpr auto rule(const dims& x, const dims& y, const dims& weight, const dims& pos_weight,
                             const attributes& a) -> verdict {
    return rules::reduced(rules::weighted(rules::weighted(of_logits(x, y), pos_weight), weight), a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& y, const attributes& a) {
    return detail::reduce(add(rejected(x, y), missed(x)), a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& y, const auto& weight, const attributes& a) {
    return detail::reduce(mul(add(rejected(x, y), missed(x)), weight), a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& y, const auto& weight, const auto& pos_weight,
                               const attributes& a) {
    const auto more = add(mul(sub(pos_weight, 1), y), 1);  // pos_weight * y + (1 - y)
    return detail::reduce(mul(add(rejected(x, y), mul(more, missed(x))), weight), a.reduction);
  }

 private:
  static constexpr auto of_logits(const dims& x, const dims& y) -> verdict {
    if (!rules::may_float(x.type) || !rules::may_float(y.type)) return reason::not_a_floating_type;
    if (!rules::same_type(x, y)) return reason::dtypes_differ;
    return rules::equal_dims(x, y);
  }
  static constexpr auto rejected(const auto& x, const auto& y) { return mul(sub(1, y), x); }
  /// -log(sigmoid(x)). The threshold is 40, because log(1 + e^x) equals x for x > 40 even in
  /// float64.
  static constexpr auto missed(const auto& x) { return softplus(neg(x), 1, 40); }
} binary_cross_entropy_with_logits;

}  // namespace koila::inline v0
