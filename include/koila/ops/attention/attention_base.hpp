// SPDX-License-Identifier: MIT
#pragma once
// Shared by the attention ops: attribute names, rules, flow, and the scores as an expression.
#include <koila/ops/indexing/transpose.hpp>
#include <koila/ops/internal/causal_fill.hpp>
#include <koila/ops/linalg/matmul.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/numbers.hpp>
#include <koila/ops/random/random_base.hpp>

#include <algorithm>
#include <limits>

namespace koila::inline v0 {

namespace detail {

/// The attributes of attention(q, k, v, is_causal = true, scale = 0.5).
struct attention_attributes {
  static constexpr std::size_t positional = 2;
  attr<bool> is_causal = false;
  attr<double> scale = std::numeric_limits<double>::infinity();  // infinity means 1 / sqrt(e)
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, is_causal, scale); }
  friend constexpr auto operator==(const attention_attributes&, const attention_attributes&) -> bool = default;
};

/// The attributes of dropout_attention and of scaled_dot_product_attention(q, k, v, dropout_p =
/// 0.1, is_causal = true, scale = 0.5).
struct dropout_attention_attributes {
  static constexpr std::size_t positional = 2;
  attr<double> dropout_p = 0;
  attr<bool> is_causal = false;
  attr<double> scale = std::numeric_limits<double>::infinity();  // infinity means 1 / sqrt(e)
  detail::random_identity call;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dropout_p, is_causal); }
  friend constexpr auto operator==(const dropout_attention_attributes&, const dropout_attention_attributes&)
      -> bool = default;
};

}  // namespace detail

namespace rules {

/// (..., l, e) x (..., s, e) x (..., s, v) -> (..., l, v). The leading dims are broadcast.
constexpr auto attention(const dims& q, const dims& k, const dims& v) -> verdict {
  const dims all[] = {q, k, v};
  dtype type = dtype::unknown;
  for (const dims& d : all) {
    if (d.ranked() && d.rank < 2) return reason::no_rule_for_these_ranks;
    if (d.type == dtype::unknown) continue;
    if (!is_floating(d.type)) return reason::not_a_floating_type;
    if (type != dtype::unknown && type != d.type) return reason::dtypes_differ;
    type = d.type;
  }
  if (q.ranked() && k.ranked() && detail::compare_extents(q[-1], k[-1]) == detail::tristate::no)
    return reason::embedding_dimensions_differ;
  if (k.ranked() && v.ranked() && detail::compare_extents(k[-2], v[-2]) == detail::tristate::no)
    return reason::shapes_differ;
  if (!q.ranked() || !k.ranked() || !v.ranked()) return dims(type);
  dims lead[3] = {q, k, v};
  for (dims& d : lead) d.rank -= 2;
  const verdict both = broadcast(lead[0], lead[1], type);
  const verdict three = both.accepted() ? broadcast(both.out, lead[2], type) : both;
  if (!three.accepted()) return reason::batch_dimensions_differ;
  dims out = three.out;
  out.e[out.rank++] = q[-2];
  out.e[out.rank++] = v[-1];
  return out;
}
/// The rule of attention with a mask that broadcasts to the scores (..., l, s).
constexpr auto attention(const dims& q, const dims& k, const dims& v, const dims& mask) -> verdict {
  const verdict y = attention(q, k, v);
  if (!y.accepted()) return y;
  if (mask.number) return reason::mask_is_not_boolean;  // a C++ number would take the scores' dtype
  if (mask.type != dtype::unknown && mask.type != dtype::boolean && y.out.type != dtype::unknown &&
      mask.type != y.out.type)
    return reason::mask_is_not_boolean;
  if (!y.out.ranked() || !mask.ranked()) return y;
  dims scores = y.out;
  scores[-1] = k[-2];
  const verdict masked = broadcast(scores, mask, y.out.type);
  if (!masked.accepted() || masked.out.rank != scores.rank || same_shape(masked.out, scores) == detail::tristate::no)
    return reason::not_broadcastable;
  return y;
}

/// The rule of attention without broadcasting. q, k and v must have equal leading dims.
constexpr auto attention_of_stacks(const dims& q, const dims& k, const dims& v) -> verdict {
  const verdict y = attention(q, k, v);
  if (!y.accepted() || !q.ranked() || !k.ranked() || !v.ranked()) return y;
  if (q.rank != k.rank || q.rank != v.rank) return reason::batch_dimensions_differ;
  for (int i = 0; i < q.rank - 2; ++i)
    if (detail::compare_extents(q[i], k[i]) == detail::tristate::no ||
        detail::compare_extents(q[i], v[i]) == detail::tristate::no ||
        detail::compare_extents(k[i], v[i]) == detail::tristate::no)
      return reason::batch_dimensions_differ;
  return y;
}
/// The rule of attention without broadcasting of q, k and v, with a mask that broadcasts to the
/// scores.
constexpr auto attention_of_stacks(const dims& q, const dims& k, const dims& v, const dims& mask) -> verdict {
  const verdict y = attention_of_stacks(q, k, v);
  return y.accepted() ? attention(q, k, v, mask) : y;
}
/// (..., l, v) x (..., l, v) x (..., l, e) x (..., s, e) x (..., s, v) -> (..., l + s + s, max(e,
/// v)): the gradients of q, k and v, concatenated along dim -2, from dy, y, q, k and v.
constexpr auto attention_backward(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v)
    -> verdict {
  const verdict of = attention_of_stacks(q, k, v);
  if (!of.accepted()) return of;
  if (same_shape(dy, of.out) == detail::tristate::no || same_shape(y, of.out) == detail::tristate::no)
    return reason::shapes_differ;
  for (const dims* d : {&dy, &y})
    if (d->type != dtype::unknown && of.out.type != dtype::unknown && d->type != of.out.type)
      return reason::dtypes_differ;
  if (!q.ranked() || !k.ranked() || !v.ranked()) return dims(of.out.type);
  dims out = of.out;
  const auto number = [](bool known, index_t n, bool open) {
    return known ? extent{n, {}, open} : extent{-1, {}, true};
  };
  const extent &l = q[-2], &s = k[-2], &e = q[-1], &w = v[-1];
  out[-2] = number(l.known() && s.known(), l.n + 2 * s.n, l.open || l.named() || s.open || s.named());
  out[-1] = number(e.known() && w.known(), std::max(e.n, w.n), e.open || e.named() || w.open || w.named());
  return out;
}
/// Returns true if the op `attention` accepts these known dims and the batch axis is not one of
/// the last two dims of q, k or v. If the batch axis were one of these dims, the op would have to
/// gather all samples.
constexpr auto attention_by_blocks(const dims& q, const dims& k, const dims& v) -> bool {
  if (!attention_of_stacks(q, k, v).accepted()) return false;
  const auto samples = [](const extent& e) { return e.axis == axis_name<struct batch>; };
  for (const dims* d : {&q, &k, &v})
    if (samples((*d)[-2]) || samples((*d)[-1])) return false;
  return true;
}
/// Like attention_by_blocks above, with a mask. The batch axis must not be one of the last two dims
/// of the mask, either.
constexpr auto attention_by_blocks(const dims& q, const dims& k, const dims& v, const dims& mask) -> bool {
  if (!attention_by_blocks(q, k, v) || !attention_of_stacks(q, k, v, mask).accepted()) return false;
  const int of_samples = mask.find(axis_name<struct batch>);
  return of_samples < 0 || of_samples < mask.rank - 2;
}

}  // namespace rules

namespace flows {

/// The result is per sample if the batch axis is a leading dim. If the mask has extent 1 along the
/// batch axis, each chunk reads the whole mask. If the batch axis is one of the last two dims, all
/// operands are gathered.
constexpr auto attention(const value* operands, int n, const dims& out) -> relations {
  const relations f = elementwise(operands, n, out);
  return f.out.sampled() && f.out.axis >= out.rank - 2 ? gather(operands, n, out) : f;
}

}  // namespace flows

namespace detail {

/// Returns the factor of the scores: `scale`, or 1 / sqrt(e) if no scale is given.
constexpr auto factor_of_scores(const dims& q, const attr<double>& scale) -> double {
  const auto width = static_cast<double>(q[-1].n);
  if (scale.value != std::numeric_limits<double>::infinity()) return scale.value;
  return width == 0 ? 1 : 1 / square_root(width);
}

/// (..., l, e) x (..., s, e) -> (..., l, s): the scores as an expression, which is used if the
/// block kernels cannot compute attention.
constexpr auto scores(const auto& q, const auto& k, const auto& a) {
  const auto s = matmul(mul(q, factor_of_scores(dims_of(q), a.scale)), transpose(k, -2, -1));
  return a.is_causal.value ? internal::causal_fill(s, -std::numeric_limits<double>::infinity()) : s;
}

}  // namespace detail
}  // namespace koila::inline v0
