#pragma once
// attention_backward: the pull-back of attention to queries, keys and values.
#include <koila/ops/add.hpp>
#include <koila/ops/family/attention.hpp>
#include <koila/ops/mul.hpp>
#include <koila/ops/narrow.hpp>
#include <koila/ops/neg.hpp>
#include <koila/ops/softmax.hpp>
#include <koila/ops/sub.hpp>
#include <koila/ops/sum.hpp>

namespace koila {

/// (..., l, v) x (..., l, v) x (..., l, e) x (..., s, e) x (..., s, v) -> (..., l + s + s, max(e, v)): of dy, attention's value y, q, k
/// and v the gradients of q, k and v, one below the other; columns that one has less are 0. The weights are computed again, by blocks.
inline constexpr struct attention_backward : op<attention_backward, 5> {
  static constexpr std::string_view name = "attention_backward";
  using attributes = attention_attributes;
  static constexpr auto rule(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v, const attributes&)
      -> verdict {
    const verdict of = rules::attention_of_stacks(q, k, v);
    if (!of.accepted()) return of;
    if (rules::same_shape(dy, of.out) == tri::no || rules::same_shape(y, of.out) == tri::no) return why::shapes_differ;
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
  static constexpr auto flow(const value& dy, const value& y, const value& q, const value& k, const value& v, const dims& out,
                             const attributes&) -> relations {
    const value in[] = {dy, y, q, k, v};
    return flows::attention(in, 5, out);
  }
  static constexpr auto cost(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v, const dims& out,
                             const attributes& a) -> work {
    const detail::attention_blocks b(q, k, v);
    const index_t elements = dy.count() + y.count() + q.count() + k.count() + v.count();
    return {b.flops(5, a.is_causal.value), static_cast<double>(elements * bytes_of(q.type) + out.bytes()),
            b.workspace(b.backward_parts() * b.backward_part(), elements + out.count()), true};
  }
  static void evaluate(out all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k,
                       const at::Tensor& v, const attributes& a);
  /// With weights P, t = P (dy v^T - sum(dy y)) and the factor c of the scores the result is c t k, c t^T q, P^T dy.
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y, const auto& q, const auto& k,
                                 const auto& v, const attributes& a) {
    const index_t l = dims_of(q)[-2].n, s = dims_of(k)[-2].n, e = dims_of(q)[-1].n;
    const auto part = [&](index_t first, index_t rows, index_t columns) {
      return narrow(narrow(d, -2, first, rows), -1, 0, columns);
    };
    const double c = detail::factor_of_scores(dims_of(q), a.scale);
    const auto turned = [](const auto& x) { return transpose(x, -2, -1); };
    const auto total = [](const auto& x) { return sum(x, koila::dim = -1, keepdim = true); };
    const auto dq = mul(part(0, l, e), c), dk = mul(part(l, s, e), c), dv = part(l + s, s, dims_of(v)[-1].n);

    const auto p = softmax(detail::scores(q, k, a), koila::dim = -1);
    const auto off = sub(matmul(dy, turned(v)), total(mul(dy, y))), t = mul(p, off);
    const auto by_t = add(matmul(dq, turned(k)), matmul(q, turned(dk)));
    const auto by_off = mul(by_t, p), by_total = neg(total(by_off));
    const auto by_scores = mul(softmax_backward(add(matmul(dy, turned(dv)), mul(by_t, off)), p, koila::dim = -1), c);
    return gradients(add(add(matmul(p, dv), matmul(by_off, v)), mul(by_total, y)), mul(by_total, dy),
                     add(matmul(t, dk), matmul(by_scores, k)), add(matmul(turned(t), dq), matmul(turned(by_scores), q)),
                     matmul(turned(by_off), dy));
  }
} attention_backward;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/attention.ipp>

namespace koila {

KOILA_INLINE void attention_backward::evaluate(out all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                                               const at::Tensor& k, const at::Tensor& v, const attributes& a) {
  detail::attend_back(all, dy, y, q, k, v, a);
}

}  // namespace koila
#endif
