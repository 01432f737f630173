#pragma once
// The weights of attentions as values, for gradients and for what no kernel of blocks takes.
#include <koila/ops/add.hpp>
#include <koila/ops/amax.hpp>
#include <koila/ops/eq.hpp>
#include <koila/ops/family/attention.hpp>
#include <koila/ops/narrow.hpp>
#include <koila/ops/neg.hpp>
#include <koila/ops/softmax.hpp>
#include <koila/ops/sub.hpp>
#include <koila/ops/sum.hpp>
#include <koila/ops/where.hpp>

namespace koila::detail {

/// (..., l, e) x (..., s, e) -> (..., l, s).
constexpr auto attention_weights_of(const auto& q, const auto& k, const attention_attributes& a) {
  return softmax(scores(q, k, a), koila::dim = -1);
}

/// The same with a mask that broadcasts with them: boolean, or added to the scores. Zeros for a query whose keys are all masked.
constexpr auto attention_weights_of(const auto& q, const auto& k, const auto& mask, const attention_attributes& a) {
  if (dims_of(mask).type != dtype::boolean) {
    const auto shown = add(scores(q, k, a), mask);
    if (dims_of(k)[-2].n == 0) return softmax(shown, koila::dim = -1);
    const auto hidden = eq(amax(shown, koila::dim = -1, keepdim = true), -std::numeric_limits<double>::infinity());
    return where(hidden, 0.0, softmax(where(hidden, 0.0, shown), koila::dim = -1));
  }
  // A finite number, and zeros afterwards: of a row without keys softmax would have no value.
  const double least = dims_of(q).type == dtype::float16 ? -65504 : -1e30;
  return where(mask, softmax(where(mask, scores(q, k, a), least), koila::dim = -1), 0.0);
}

/// The slopes of the scores, before they are scaled: with weights P, P (dy v^T - sum(dy y)).
constexpr auto attention_slopes_of(const auto& dy, const auto& y, const auto& v, const auto& p) {
  return mul(p, sub(matmul(dy, transpose(v, -2, -1)), sum(mul(dy, y), koila::dim = -1, keepdim = true)));
}

/// The pull-back of the pull-back: with the slopes t and the factor c of the scores this is c t k, c t^T q, P^T dy, one below the other,
/// of which d is the gradient. Calls use(gradients of dy, y, q, k, v, and of the scores where they are masked).
constexpr auto attention_pulled_back_twice(const auto& d, const auto& dy, const auto& y, const auto& q, const auto& k,
                                           const auto& v, const auto& p, const attention_attributes& a, const auto& use) {
  const index_t l = dims_of(q)[-2].n, s = dims_of(k)[-2].n, e = dims_of(q)[-1].n;
  const auto part = [&](index_t first, index_t rows, index_t columns) {
    return narrow(narrow(d, -2, first, rows), -1, 0, columns);
  };
  const double c = factor_of_scores(dims_of(q), a.scale);
  const auto turned = [](const auto& x) { return transpose(x, -2, -1); };
  const auto total = [](const auto& x) { return sum(x, koila::dim = -1, keepdim = true); };
  const auto dq = mul(part(0, l, e), c), dk = mul(part(l, s, e), c), dv = part(l + s, s, dims_of(v)[-1].n);

  const auto off = sub(matmul(dy, turned(v)), total(mul(dy, y))), t = mul(p, off);
  const auto by_t = add(matmul(dq, turned(k)), matmul(q, turned(dk)));
  const auto by_off = mul(by_t, p), by_total = neg(total(by_off));
  const auto by_masked = softmax_backward(add(matmul(dy, turned(dv)), mul(by_t, off)), p, koila::dim = -1);
  const auto by_scores = mul(by_masked, c);
  return use(add(add(matmul(p, dv), matmul(by_off, v)), mul(by_total, y)), mul(by_total, dy),
             add(matmul(t, dk), matmul(by_scores, k)), add(matmul(turned(t), dq), matmul(turned(by_scores), q)),
             matmul(turned(by_off), dy), by_masked);
}

}  // namespace koila::detail
