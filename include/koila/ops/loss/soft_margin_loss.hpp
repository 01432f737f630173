// SPDX-License-Identifier: MIT
#pragma once
// soft_margin_loss: the logistic loss of two classes, 1 and -1.
#include <koila/ops/activation/softplus.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (), or (...) with kNone: log(1 + e^(-t * x)), where the target t is 1 or -1.
/// The result has the dtype of x. The target must not be boolean or uint8, which have no -1.
inline constexpr struct soft_margin_loss : detail::loss_of_alike<soft_margin_loss> {
  static constexpr std::string_view name = "soft_margin_loss";
  static constexpr auto rule(const dims& x, const dims& target, const attributes& a) -> verdict {
    if (x.number || target.number) return reason::no_rule_for_these_ranks;
    if (!rules::may_float(x.type)) return reason::not_a_floating_type;
    if (target.type == dtype::boolean) return reason::no_rule_for_booleans;
    if (target.type == dtype::uint8) return reason::no_rule_for_these_dtypes;
    const verdict both = rules::equal_dims(x, target);
    return both.accepted() ? rules::reduced(both.out.with(x.type), a.reduction) : both;
  }
  /// LibTorch's formula overflows if e^(-t * x) is too large for the dtype. `softplus` does not.
  /// The threshold is 40, because log(1 + e^z) equals z for z > 40 even in float64.
  static constexpr auto each(const auto& x, const auto& target, const attributes&) {
    const auto product = detail::call_with<struct internal::to_dtype>({dims_of(x).type}, mul(x, target));
    return softplus(neg(product), 1, 40);
  }
} soft_margin_loss;

}  // namespace koila::inline v0
