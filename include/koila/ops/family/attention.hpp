#pragma once
// What the attentions share: names of attributes, the rule.
#include <koila/expr/op.hpp>

#include <limits>

namespace koila {

/// The probability with which attention's weights are dropped.
inline constexpr struct dropout_p : attribute_name<dropout_p> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.dropout_p)) { return a.dropout_p; }
} dropout_p;

/// Whether each query attends only to the keys up to its own position.
inline constexpr struct is_causal : attribute_name<is_causal> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.is_causal)) { return a.is_causal; }
} is_causal;

/// What attention's scores are multiplied with.
inline constexpr struct scale : attribute_name<scale> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.scale)) { return a.scale; }
} scale;

namespace rules {

/// (..., l, e) x (..., s, e) x (..., s, v) -> (..., l, v), leading dims broadcast.
constexpr auto attention(const dims& q, const dims& k, const dims& v) -> verdict {
  const dims all[] = {q, k, v};
  dtype type = dtype::unknown;
  for (const dims& d : all) {
    if (d.ranked() && d.rank < 2) return why::no_rule_for_these_ranks;
    if (d.type == dtype::unknown) continue;
    if (!is_floating(d.type)) return why::not_a_floating_type;
    if (type != dtype::unknown && type != d.type) return why::dtypes_differ;
    type = d.type;
  }
  if (q.ranked() && k.ranked() && same(q[-1], k[-1]) == tri::no) return why::embedding_dimensions_differ;
  if (k.ranked() && v.ranked() && same(k[-2], v[-2]) == tri::no) return why::shapes_differ;
  if (!q.ranked() || !k.ranked() || !v.ranked()) return dims(type);
  dims lead[3] = {q, k, v};
  for (dims& d : lead) d.rank -= 2;
  const verdict both = broadcast(lead[0], lead[1], type);
  const verdict three = both.accepted() ? broadcast(both.out, lead[2], type) : both;
  if (!three.accepted()) return why::batch_dimensions_differ;
  dims out = three.out;
  out.e[out.rank++] = q[-2];
  out.e[out.rank++] = v[-1];
  return out;
}
/// With a mask that broadcasts with the scores (..., l, s).
constexpr auto attention(const dims& q, const dims& k, const dims& v, const dims& mask) -> verdict {
  const verdict y = attention(q, k, v);
  if (!y.accepted()) return y;
  if (mask.type != dtype::unknown && mask.type != dtype::boolean && y.out.type != dtype::unknown && mask.type != y.out.type)
    return why::mask_is_not_boolean;
  if (!y.out.ranked() || !mask.ranked()) return y;
  dims scores = y.out;
  scores[-1] = k[-2];
  const verdict masked = broadcast(scores, mask, y.out.type);
  if (!masked.accepted() || masked.out.rank != scores.rank || same_shape(masked.out, scores) == tri::no)
    return why::not_broadcastable;
  return y;
}

}  // namespace rules
}  // namespace koila
