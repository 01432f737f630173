// SPDX-License-Identifier: MIT
#pragma once
// cosine_embedding_loss: a loss for pairs of vectors that should be similar or dissimilar.
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/hinge.hpp>
#include <koila/ops/loss/margin.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/precision.hpp>
#include <koila/ops/pointwise/sqrt.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (samples, n) x (samples, n) x (samples) -> (), or (samples) with kNone: let c be the cosine of
/// x and y; the loss is 1 - c where the target is 1, and max(0, c - margin) where the target is
/// -1. The op also takes (n) x (n) x ().
inline constexpr struct cosine_embedding_loss : author::op<cosine_embedding_loss, 3> {
  static constexpr std::string_view name = "cosine_embedding_loss";
  using attributes = detail::margin_attributes;
  static constexpr auto rule(const dims& x, const dims& y, const dims& target, const attributes& a) -> verdict {
    if (!rules::may_float(x.type) || !rules::may_float(y.type)) return reason::not_a_floating_type;
    const verdict both = rules::equal_dims(x, y);
    if (!both.accepted()) return both;
    if (both.out.ranked() && (both.out.rank < 1 || both.out.rank > 2)) return reason::no_rule_for_these_ranks;
    if (!both.out.ranked()) return rules::reduced(target.with(both.out.type), a.reduction);
    const dims values = rules::drop(both.out, both.out.rank - 1, false);
    if (rules::same_shape(values, target) == detail::tristate::no) return reason::labels_are_not_one_per_sample;
    return rules::reduced(values, a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& y, const auto& target, const attributes& a) {
    constexpr double little = double{1e-12F};  // avoids lengths of 0; LibTorch's constant is a float for every dtype
    return detail::rounded_once(result_type(dims_of(x), dims_of(y)), [&] {
      const auto u = detail::wide_operand(x), v = detail::wide_operand(y);
      const auto square = [&](const auto& z) { return add(sum(mul(z, z), dim = -1_c), little); };
      const auto cosine = ops::div(sum(mul(u, v), dim = -1_c), ops::sqrt(mul(square(u), square(v))));
      return detail::reduce(add(where(eq(target, 1), sub(1, cosine), 0),
                                where(eq(target, -1), internal::hinge(sub(cosine, a.margin.value)), 0)),
                            a.reduction);
    });
  }
} cosine_embedding_loss;

}  // namespace koila::inline v0
