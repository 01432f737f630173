#pragma once
// scaled_dot_product_attention: values weighted by how well their keys match each query.
#include <koila/ops/amax.hpp>
#include <koila/ops/attention.hpp>
#include <koila/ops/dropout.hpp>
#include <koila/ops/eq.hpp>
#include <koila/ops/family/attention.hpp>
#include <koila/ops/matmul.hpp>
#include <koila/ops/softmax.hpp>
#include <koila/ops/where.hpp>

namespace koila {

/// (..., l, e) x (..., s, e) x (..., s, v) -> (..., l, v): softmax(q k^T / sqrt(e)) v. With a fourth operand (..., l, s): a mask of which
/// true means that the key takes part, or a value that is added to the scores. A query whose keys are all masked gives zeros.
inline constexpr struct scaled_dot_product_attention : op<scaled_dot_product_attention, 4> {
  static constexpr std::string_view name = "scaled_dot_product_attention";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr<double> dropout_p = 0;
    attr<bool> is_causal = false;
    attr<double> scale = std::numeric_limits<double>::infinity();  // 1 / sqrt(e)
    detail::random_identity call;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dropout_p, is_causal); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const attributes& a) -> verdict {
    if (!rules::probability(a.dropout_p)) return why::probability_out_of_range;
    return rules::attention(q, k, v);
  }
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const dims& mask, const attributes& a) -> verdict {
    if (!rules::probability(a.dropout_p)) return why::probability_out_of_range;
    return rules::attention(q, k, v, mask);
  }
  static constexpr auto expand(const auto& q, const auto& k, const auto& v, const attributes& a) {
    if (a.dropout_p.value == 0 && rules::attention_by_blocks(dims_of(q), dims_of(k), dims_of(v)))
      return attention(q, k, v, koila::is_causal = a.is_causal, koila::scale = a.scale);
    return weighted(softmax(scores(q, k, a), koila::dim = -1), v, a);
  }
  static constexpr auto expand(const auto& q, const auto& k, const auto& v, const auto& mask, const attributes& a) {
    if (dims_of(mask).type != dtype::boolean) {
      const auto shown = add(scores(q, k, a), mask);
      if (dims_of(k)[-2].n == 0) return weighted(softmax(shown, koila::dim = -1), v, a);
      const auto hidden = eq(amax(shown, koila::dim = -1, keepdim = true), -std::numeric_limits<double>::infinity());
      return weighted(where(hidden, 0.0, softmax(where(hidden, 0.0, shown), koila::dim = -1)), v, a);
    }
    // A finite number, and zeros afterwards: of a row without keys softmax would have no value.
    const auto weights = softmax(where(mask, scores(q, k, a), least(dims_of(q).type)), koila::dim = -1);
    return weighted(where(mask, weights, 0.0), v, a);
  }

 private:
  static constexpr auto scores(const auto& q, const auto& k, const attributes& a) {
    attention_attributes of;
    of.is_causal = a.is_causal, of.scale = a.scale;
    return detail::scores(q, k, of);
  }
  static constexpr auto weighted(const auto& weights, const auto& v, const attributes& a) {
    return matmul(dropout(weights, koila::p = a.dropout_p, detail::drawn_as = a.call), v);
  }
  static constexpr auto least(dtype t) -> double { return t == dtype::float16 ? -65504 : -1e30; }
} scaled_dot_product_attention;

}  // namespace koila
