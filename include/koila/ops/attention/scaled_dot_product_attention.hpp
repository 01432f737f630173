// SPDX-License-Identifier: MIT
#pragma once
// scaled_dot_product_attention: values weighted by how well their keys match each query.
#include <koila/ops/internal/attention.hpp>
#include <koila/ops/internal/dropout_attention.hpp>
#include <koila/ops/linalg/matmul.hpp>
#include <koila/ops/pointwise/precision.hpp>

namespace koila::inline v0 {

/// (..., l, e) x (..., s, e) x (..., s, v) -> (..., l, v): softmax(q @ k^T / sqrt(e)) @ v. A fourth
/// operand (..., l, s) is a mask: either booleans, true where the query attends to the key, or
/// values that are added to the scores. The result is 0 for a query whose keys are all masked.
inline constexpr struct scaled_dot_product_attention : author::op<scaled_dot_product_attention, 4> {
  static constexpr std::string_view name = "scaled_dot_product_attention";
  using attributes = detail::dropout_attention_attributes;
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const attributes& a) -> verdict {
    if (!rules::probability(a.dropout_p)) return reason::probability_out_of_range;
    return rules::attention(q, k, v);
  }
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const dims& mask, const attributes& a)
      -> verdict {
    if (!rules::probability(a.dropout_p)) return reason::probability_out_of_range;
    return rules::attention(q, k, v, mask);
  }
  static constexpr auto expand(const auto& q, const auto& k, const auto& v, const attributes& a) {
    if (rules::attention_by_blocks(dims_of(q), dims_of(k), dims_of(v))) return by_blocks(a, q, k, v);
    if (has_16_bits(q)) return in_float32(a, q, k, v);
    return weighted(detail::attention_weights_of(q, k, a), v, a);
  }
  static constexpr auto expand(const auto& q, const auto& k, const auto& v, const auto& mask, const attributes& a) {
    if (rules::attention_by_blocks(dims_of(q), dims_of(k), dims_of(v), dims_of(mask)))
      return by_blocks(a, q, k, v, mask);
    if (has_16_bits(q)) return in_float32(a, q, k, v, mask);
    return weighted(detail::attention_weights_of(q, k, mask, a), v, a);
  }

 private:
  static constexpr auto by_blocks(const attributes& a, const auto&... operands) {
    if (a.dropout_p.value == 0)
      return internal::attention(operands..., koila::is_causal = a.is_causal, koila::scale = a.scale);
    return detail::call_with<struct internal::dropout_attention>(a, operands...);
  }
  static constexpr auto has_16_bits(const auto& q) -> bool {
    return detail::accumulator_of(dims_of(q).type) != dims_of(q).type;
  }
  /// The attention kernel computes 16-bit operands in float32, so the ops that replace the kernel
  /// must compute in float32, too. Otherwise, if scores overflow float16, the position of the batch
  /// axis would decide whether the result is NaN.
  static constexpr auto in_float32(const attributes& a, const auto& q, const auto&... others) {
    return detail::rounded_once(dims_of(q).type, [&] {
      return detail::call_with<struct scaled_dot_product_attention>(a, detail::wide_operand(q),
                                                                    detail::wide_operand(others)...);
    });
  }
  static constexpr auto weighted(const auto& weights, const auto& v, const attributes& a) {
    return matmul(detail::weights_kept(weights, a), v);
  }
} scaled_dot_product_attention;

}  // namespace koila::inline v0
