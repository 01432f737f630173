// SPDX-License-Identifier: MIT
#pragma once
// Shared by attention and attention with dropout: rules, flow and cost with or without a mask, the
// backward ops, and the weights as expressions.
#include <koila/ops/attention/attention_base.hpp>
#include <koila/ops/attention/attention_blocks.hpp>
#include <koila/ops/indexing/narrow.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/random/dropout_base.hpp>
#include <koila/ops/reduction/amax.hpp>
#include <koila/ops/reduction/softmax.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0::detail {

/// (..., l, e) x (..., s, e) -> (..., l, s): the attention weights as an expression.
constexpr auto attention_weights_of(const auto& q, const auto& k, const auto& a) {
  return softmax(scores(q, k, a), koila::dim = -1);
}

/// Returns the attention weights with a mask that broadcasts to the weights. The mask is boolean,
/// or it is added to the scores. The weights of a query whose keys are all masked are 0.
constexpr auto attention_weights_of(const auto& q, const auto& k, const auto& mask, const auto& a) {
  if (dims_of(mask).type != dtype::boolean) {
    const auto shown = add(scores(q, k, a), mask);
    if (dims_of(k)[-2].n == 0) return softmax(shown, koila::dim = -1);
    const auto hidden = eq(amax(shown, koila::dim = -1, keepdim = true), -std::numeric_limits<double>::infinity());
    return where(hidden, 0.0, softmax(where(hidden, 0.0, shown), koila::dim = -1));
  }
  // Masked scores become a finite number instead of -inf, because the softmax of a row of only
  // -inf is NaN. Afterwards the weights of masked scores are set to 0.
  const double least = dims_of(q).type == dtype::float16 ? -65504 : -1e30;
  return where(mask, softmax(where(mask, scores(q, k, a), least), koila::dim = -1), 0.0);
}

/// Applies dropout to attention weights or to their gradients.
constexpr auto weights_kept(const auto& x, const attention_attributes&) { return x; }
constexpr auto weights_kept(const auto& x, const dropout_attention_attributes& a) {
  dropout_attributes of;
  of.p = a.dropout_p, of.call = a.call;
  return dropped(x, of);
}

/// Returns the gradient with respect to the scaled and masked scores, which are the operand of
/// softmax. The gradient is P * (kept(dy v^T) - sum(dy * y)). P is the matrix of attention weights,
/// `kept` applies dropout, and * is the element-wise product.
constexpr auto attention_slopes_of(const auto& dy, const auto& y, const auto& v, const auto& p, const auto& a) {
  return mul(p,
             sub(weights_kept(matmul(dy, transpose(v, -2, -1)), a), sum(mul(dy, y), koila::dim = -1, keepdim = true)));
}

/// Differentiates the backward op. Let t be the gradient with respect to the scaled and masked
/// scores, c the factor of the scores, P the matrix of attention weights, and `kept` dropout. The
/// backward op computes c * (t k), c * (t^T q) and kept(P)^T dy, concatenated along dim -2. `d` is
/// the gradient with respect to this result. Calls `use` with the gradients with respect to the
/// masked scores, dy, y, q, k and v.
constexpr auto attention_pulled_back_twice(const auto& d, const auto& dy, const auto& y, const auto& q, const auto& k,
                                           const auto& v, const auto& p, const auto& a, const auto& use) {
  const index_t l = dims_of(q)[-2].n, s = dims_of(k)[-2].n, e = dims_of(q)[-1].n;
  const auto part = [&](index_t first, index_t rows, index_t columns) {
    return narrow(narrow(d, -2, first, rows), -1, 0, columns);
  };
  const double c = factor_of_scores(dims_of(q), a.scale);
  const auto transposed = [](const auto& x) { return transpose(x, -2, -1); };
  const auto total = [](const auto& x) { return sum(x, koila::dim = -1, keepdim = true); };
  const auto dq = mul(part(0, l, e), c), dk = mul(part(l, s, e), c), dv = part(l + s, s, dims_of(v)[-1].n);

  const auto after_dropout = [&](const auto& x) { return weights_kept(x, a); };
  const auto off = sub(after_dropout(matmul(dy, transposed(v))), total(mul(dy, y))), t = mul(p, off);
  const auto by_t = add(matmul(dq, transposed(k)), matmul(q, transposed(dk)));
  const auto by_off = mul(by_t, p), by_total = neg(total(by_off)), by_kept = after_dropout(by_off);
  const auto by_masked =
      internal::softmax_backward(add(after_dropout(matmul(dy, transposed(dv))), mul(by_t, off)), p, koila::dim = -1);
  const auto by_scores = mul(by_masked, c);
  return use(by_masked, add(add(matmul(after_dropout(p), dv), matmul(by_kept, v)), mul(by_total, y)), mul(by_total, dy),
             add(matmul(t, dk), matmul(by_scores, k)), add(matmul(transposed(t), dq), matmul(transposed(by_scores), q)),
             matmul(transposed(by_kept), dy));
}

/// Returns the bytes of workspace of a kernel. `mask` may be null.
constexpr auto attention_workspace(const attention_blocks& b, index_t scratch, index_t elements, const dims* mask)
    -> index_t {
  return b.workspace(scratch, elements + (mask == nullptr || mask->type == dtype::boolean ? 0 : mask->count()));
}

template <class Attributes>
inline constexpr bool drops_weights = std::is_same_v<Attributes, dropout_attention_attributes>;

/// Returns the verdict on the shapes, or a refusal if `dropout_p` is not in [0, 1].
template <class Attributes>
constexpr auto with_probability(const verdict& v, const Attributes& a) -> verdict {
  if constexpr (drops_weights<Attributes>)
    if (v.accepted() && !rules::probability(a.dropout_p)) return reason::probability_out_of_range;
  return v;
}

/// (..., l, e) x (..., s, e) x (..., s, v) -> (..., l, v): attention, with or without a mask that
/// broadcasts to the scores (..., l, s).
template <class Op, class Backward>
struct attention_op : op<Op, 4> {
  using attributes = typename Backward::attributes;
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const attributes& a) -> verdict {
    return detail::with_probability(rules::attention_of_stacks(q, k, v), a);
  }
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const dims& mask, const attributes& a)
      -> verdict {
    return detail::with_probability(rules::attention_of_stacks(q, k, v, mask), a);
  }
  static constexpr auto flow(const value& q, const value& k, const value& v, const dims& out, const attributes&)
      -> relations {
    const value in[] = {q, k, v};
    return flows::attention(in, 3, out);
  }
  static constexpr auto flow(const value& q, const value& k, const value& v, const value& mask, const dims& out,
                             const attributes&) -> relations {
    const value in[] = {q, k, v, mask};
    return flows::attention(in, 4, out);
  }
  static constexpr auto cost(const dims& q, const dims& k, const dims& v, const dims& out, const attributes& a)
      -> op_cost {
    return cost_of(q, k, v, nullptr, out, a);
  }
  static constexpr auto cost(const dims& q, const dims& k, const dims& v, const dims& mask, const dims& out,
                             const attributes& a) -> op_cost {
    return cost_of(q, k, v, &mask, out, a);
  }
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& q, const auto& k, const auto& v,
                                 const attributes& a) {
    return parts(detail::call_with<Backward>(a, dy, y, q, k, v), q, k, v);
  }
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& q, const auto& k, const auto& v,
                                 const auto& mask, const attributes& a) {
    const auto weights = detail::attention_weights_of(q, k, mask, a);
    return parts(detail::call_with<Backward>(a, dy, y, q, k, v, mask), q, k, v,
                 internal::sum_to(detail::attention_slopes_of(dy, y, v, weights, a), mask));
  }

 private:
  static constexpr auto cost_of(const dims& q, const dims& k, const dims& v, const dims* mask, const dims& out,
                                const attributes& a) -> op_cost {
    const detail::attention_blocks b(q, k, v, mask != nullptr || detail::drops_weights<attributes>);
    const index_t elements = q.count() + k.count() + v.count() + out.count();
    return {
        b.flops(2, a.is_causal.value),
        static_cast<double>(q.bytes() + k.bytes() + v.bytes() + out.bytes() + (mask == nullptr ? 0 : mask->bytes())),
        detail::attention_workspace(b, b.forward_parts() * b.forward_part(), elements, mask), true};
  }
  static constexpr auto parts(const auto& all, const auto& q, const auto& k, const auto& v, const auto&... more) {
    const index_t l = dims_of(q)[-2].n, s = dims_of(k)[-2].n, e = dims_of(q)[-1].n;
    const auto part = [&](index_t first, index_t rows, index_t columns) {
      return narrow(narrow(all, -2, first, rows), -1, 0, columns);
    };
    return gradients(part(0, l, e), part(l, s, e), part(l + s, s, dims_of(v)[-1].n), more...);
  }
};

/// (..., l, v) x (..., l, v) x (..., l, e) x (..., s, e) x (..., s, v) -> (..., l + s + s, max(e,
/// v)): the backward op of attention, with or without a mask. The result holds the gradients of q,
/// k and v, concatenated along dim -2.
template <class Op, class Attributes>
struct attention_back : op<Op, 5> {
  using attributes = Attributes;
  static constexpr auto rule(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v,
                             const attributes& a) -> verdict {
    return detail::with_probability(rules::attention_backward(dy, y, q, k, v), a);
  }
  static constexpr auto rule(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v,
                             const dims& mask, const attributes& a) -> verdict {
    const verdict of = rules::attention_of_stacks(q, k, v, mask);
    return of.accepted() ? detail::with_probability(rules::attention_backward(dy, y, q, k, v), a) : of;
  }
  static constexpr auto flow(const value& dy, const value& y, const value& q, const value& k, const value& v,
                             const dims& out, const attributes&) -> relations {
    const value in[] = {dy, y, q, k, v};
    return flows::attention(in, 5, out);
  }
  static constexpr auto flow(const value& dy, const value& y, const value& q, const value& k, const value& v,
                             const value& mask, const dims& out, const attributes&) -> relations {
    const value in[] = {dy, y, q, k, v, mask};
    return flows::attention(in, 6, out);
  }
  static constexpr auto cost(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v,
                             const dims& out, const attributes& a) -> op_cost {
    return cost_of(dy.count() + y.count() + q.count() + k.count() + v.count(), q, k, v, nullptr, out, a);
  }
  static constexpr auto cost(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v,
                             const dims& mask, const dims& out, const attributes& a) -> op_cost {
    return cost_of(dy.count() + y.count() + q.count() + k.count() + v.count(), q, k, v, &mask, out, a);
  }
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y, const auto& q,
                                 const auto& k, const auto& v, const attributes& a) {
    return detail::attention_pulled_back_twice(
        d, dy, y, q, k, v, detail::attention_weights_of(q, k, a), a,
        [](const auto&, const auto&... cotangents) { return gradients(cotangents...); });
  }
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y, const auto& q,
                                 const auto& k, const auto& v, const auto& mask, const attributes& a) {
    return detail::attention_pulled_back_twice(d, dy, y, q, k, v, detail::attention_weights_of(q, k, mask, a), a,
                                               [&](const auto& of_scores, const auto&... cotangents) {
                                                 return gradients(cotangents..., internal::sum_to(of_scores, mask));
                                               });
  }

 private:
  static constexpr auto cost_of(index_t elements, const dims& q, const dims& k, const dims& v, const dims* mask,
                                const dims& out, const attributes& a) -> op_cost {
    const detail::attention_blocks b(q, k, v, mask != nullptr || detail::drops_weights<attributes>);
    return {b.flops(5, a.is_causal.value),
            static_cast<double>(elements * bytes_of(q.type) + out.bytes() + (mask == nullptr ? 0 : mask->bytes())),
            detail::attention_workspace(b, b.backward_parts() * b.backward_part(), elements + out.count(), mask), true};
  }
};

}  // namespace koila::inline v0::detail
