#pragma once
// What the attentions share: names of attributes, the rule, how samples flow, the blocks of the kernels, the scores as a value.
#include <koila/ops/causal_fill.hpp>
#include <koila/ops/family/numbers.hpp>
#include <koila/ops/matmul.hpp>
#include <koila/ops/mul.hpp>
#include <koila/ops/transpose.hpp>

#include <algorithm>
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

/// attention(q, k, v, is_causal = true, scale = 0.5).
struct attention_attributes {
  static constexpr std::size_t positional = 2;
  attr<bool> is_causal = false;
  attr<double> scale = std::numeric_limits<double>::infinity();  // 1 / sqrt(e)
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, is_causal, scale); }
  friend constexpr auto operator==(const attention_attributes&, const attention_attributes&) -> bool = default;
};

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

/// The same with as many leading dims each, which do not broadcast.
constexpr auto attention_of_stacks(const dims& q, const dims& k, const dims& v) -> verdict {
  const verdict y = attention(q, k, v);
  if (!y.accepted() || !q.ranked() || !k.ranked() || !v.ranked()) return y;
  if (q.rank != k.rank || q.rank != v.rank) return why::batch_dimensions_differ;
  for (int i = 0; i < q.rank - 2; ++i)
    if (same(q[i], k[i]) == tri::no || same(q[i], v[i]) == tri::no || same(k[i], v[i]) == tri::no)
      return why::batch_dimensions_differ;
  return y;
}
/// With a mask that broadcasts with the scores.
constexpr auto attention_of_stacks(const dims& q, const dims& k, const dims& v, const dims& mask) -> verdict {
  const verdict y = attention_of_stacks(q, k, v);
  return y.accepted() ? attention(q, k, v, mask) : y;
}
/// Of dy, the value y, q, k and v of stacks that are accepted: (..., l + s + s, max(e, v)).
constexpr auto attention_backward(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v) -> verdict {
  const verdict of = attention_of_stacks(q, k, v);
  if (!of.accepted()) return of;
  if (same_shape(dy, of.out) == tri::no || same_shape(y, of.out) == tri::no) return why::shapes_differ;
  for (const dims* d : {&dy, &y})
    if (d->type != dtype::unknown && of.out.type != dtype::unknown && d->type != of.out.type) return why::dtypes_differ;
  if (!q.ranked() || !k.ranked() || !v.ranked()) return dims(of.out.type);
  dims out = of.out;
  const auto number = [](bool known, index_t n, bool open) { return known ? extent{n, {}, open} : extent{-1, {}, true}; };
  const extent &l = q[-2], &s = k[-2], &e = q[-1], &w = v[-1];
  out[-2] = number(l.known() && s.known(), l.n + 2 * s.n, l.open || l.named() || s.open || s.named());
  out[-1] = number(e.known() && w.known(), std::max(e.n, w.n), e.open || e.named() || w.open || w.named());
  return out;
}
/// Whether `attention` takes known dims, none of whose matrices has the samples as its rows or columns: those it would gather.
constexpr auto attention_by_blocks(const dims& q, const dims& k, const dims& v) -> bool {
  if (!attention_of_stacks(q, k, v).accepted()) return false;
  const auto samples = [](const extent& e) { return e.axis == axis_name<struct batch>; };
  for (const dims* d : {&q, &k, &v})
    if (samples((*d)[-2]) || samples((*d)[-1])) return false;
  return true;
}
/// And a mask that `masked_attention` takes.
constexpr auto attention_by_blocks(const dims& q, const dims& k, const dims& v, const dims& mask) -> bool {
  if (!attention_by_blocks(q, k, v) || !attention_of_stacks(q, k, v, mask).accepted()) return false;
  const int of_samples = mask.find(axis_name<struct batch>);
  return of_samples < 0 || of_samples < mask.rank - 2;
}

}  // namespace rules

namespace flows {

/// Per sample along a leading dim of all operands.
constexpr auto attention(const value* in, int n, const dims& out) -> relations {
  relations f;
  for (int i = 0; i < n && !f.out.sampled(); ++i) f.out = in[i].r.sampled() ? in[i].r : relation{};
  if (!f.out.sampled()) return f;
  if (f.out.axis >= out.rank - 2) return gather(in, n, out);
  for (int i = 0; i < n; ++i) f.operand[i] = {need::rows, f.out};
  return f;
}

/// The same with a mask as the last operand, of which dims of 1 are used whole.
constexpr auto masked_attention(const value* in, int n, const dims& out) -> relations {
  const relations f = elementwise(in, n, out);
  return f.out.sampled() && f.out.axis >= out.rank - 2 ? gather(in, n, out) : f;
}

}  // namespace flows

namespace detail {

/// What the scores are multiplied with.
constexpr auto factor_of_scores(const dims& q, const attr<double>& scale) -> double {
  const auto width = static_cast<double>(q[-1].n);
  if (scale.value != std::numeric_limits<double>::infinity()) return scale.value;
  return width == 0 ? 1 : 1 / square_root(width);
}

/// (..., l, e) x (..., s, e) -> (..., l, s), which no kernel of blocks makes.
constexpr auto scores(const auto& q, const auto& k, const attention_attributes& a) {
  const auto s = matmul(mul(q, factor_of_scores(dims_of(q), a.scale)), transpose(k, -2, -1));
  return a.is_causal.value ? causal_fill(s, -std::numeric_limits<double>::infinity()) : s;
}

/// The elements of a mask that is added to scores.
constexpr auto elements_of_added(const dims& mask) -> index_t { return mask.type == dtype::boolean ? 0 : mask.count(); }

/// How the kernels go: by blocks of queries, for each of which they go along blocks of keys. Of a block's scores the keys are the
/// rows: (keys, queries). Threads have parts of their own; what is computed does not depend on how many there are. In float64, or without
/// kernels for blocks, products have threads of their own instead.
struct attention_blocks {
  static constexpr index_t most_queries = 64, most_keys = 128, most_parts = 8;
  index_t stacks, l, s, e, v;
  dtype type;
  bool masked;

  constexpr attention_blocks(const dims& q, const dims& k, const dims& values, bool has_mask = false)
      : stacks(q.count(0, q.rank - 2)), l(q[-2].n), s(k[-2].n), e(q[-1].n), v(values[-1].n), type(q.type), masked(has_mask) {}

  /// Queries of a block, a multiple of 16 so that there are whole vectors of them, and few shapes.
  constexpr auto queries() const -> index_t { return std::min(most_queries, (l + 15) / 16 * 16); }
  constexpr auto keys() const -> index_t { return std::min(most_keys, s); }
  constexpr auto query_blocks() const -> index_t { return (l + most_queries - 1) / most_queries; }
  constexpr auto key_blocks() const -> index_t { return (s + most_keys - 1) / most_keys; }

  // Elements of a part. Queries turned; scores, and the same turned; keys and values whose elements lie apart; a block of the mask.
  constexpr auto forward_part() const -> index_t {
    return queries() * e + (masked ? 3 : 2) * keys() * queries() + keys() * std::max(e, v);
  }
  /// The weights of all keys, and what they were made with; queries, turned and not, the same of dy; two blocks of scores; keys or values;
  /// a block of the mask.
  constexpr auto backward_part() const -> index_t {
    return (s + key_blocks()) * queries() + 2 * queries() * (e + v) + (masked ? 3 : 2) * keys() * queries() +
           keys() * std::max(e, v);
  }
  constexpr auto forward_parts() const -> index_t { return std::min(most_parts, stacks * query_blocks()); }
  constexpr auto backward_parts() const -> index_t { return std::min(most_parts, stacks); }
  constexpr auto empty() const -> bool { return stacks * l * s == 0; }

  /// Multiplications and additions of `products` products of (l, s) by e or v, and as much as exponentials take.
  constexpr auto flops(double products, bool causal) const -> double {
    const double all = static_cast<double>(stacks * l) * static_cast<double>(s) * (products * static_cast<double>(e + v) + 20);
    return causal ? all / 2 : all;
  }
  /// Bytes: scratch, and in float32 what has 16 bits.
  constexpr auto workspace(index_t scratch, index_t elements) const -> index_t {
    if (empty()) return 0;
    return (scratch + (accumulator_of(type) == type ? 0 : elements)) * bytes_of(accumulator_of(type));
  }
};

}  // namespace detail
}  // namespace koila
