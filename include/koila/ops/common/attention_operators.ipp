// SPDX-License-Identifier: MIT
#pragma once
// Attention by LibTorch's operators.
#include <koila/ops/attention/attention_op.hpp>
#include <koila/ops/common/random_elements.ipp>

#include <cmath>

namespace koila::inline v0::detail {

struct attention_operands {
  const at::Tensor &q, &k, &v;
  const at::Tensor* mask;  // null if there is no mask
};

/// The attention weights (..., l, s) before dropout, computed by LibTorch's operators, and the
/// dropout mask `kept`. `kept` is drawn on the host. It is undefined if the op has no dropout.
struct attention_by_operators {
  at::Tensor weights, kept;

  template <class A>
  attention_by_operators(const attention_operands& operands, const A& a, const portion& where) {
    at::Tensor s =
        operands.q.mul(factor_of_scores(dims_of_sizes(operands.q), a.scale)).matmul(operands.k.transpose(-2, -1));
    if (a.is_causal.value)
      s.masked_fill_(s.new_ones({s.size(-2), s.size(-1)}, s.options().dtype(at::kBool)).triu(1), -INFINITY);
    if (operands.mask != nullptr)
      operands.mask->scalar_type() == at::kBool ? s.masked_fill_(operands.mask->logical_not(), -INFINITY)
                                                : s.add_(*operands.mask);
    weights = s.softmax(-1);
    if (operands.mask != nullptr) weights.masked_fill_(s.eq(-INFINITY).all(-1, true), 0);
    if constexpr (drops_weights<A>) {
      const double keep = 1 - a.dropout_p.value;
      const at::Tensor drawn = s.new_empty(s.sizes(), s.options().device(at::kCPU));
      with_floating_type(drawn, [&](auto zero) {
        draw_kept(drawn, a.call, where, keep, rounded<decltype(zero)>(factor_of_kept(keep)));
      });
      kept = drawn.to(s.device());
    }
  }
  auto keep(const at::Tensor& x) const -> at::Tensor { return kept.defined() ? x.mul(kept) : x; }
};

template <class A>
void attend_by_operators(at::Tensor& y, const attention_operands& operands, const A& a, const portion& where = {}) {
  const attention_by_operators by(operands, a, where);
  y.copy_(by.keep(by.weights).matmul(operands.v));
}

template <class A>
void attend_back_by_operators(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y,
                              const attention_operands& operands, const A& a, const portion& where = {}) {
  const index_t l = operands.q.size(-2), s = operands.k.size(-2), e = operands.q.size(-1), v = operands.v.size(-1);
  const double scale = factor_of_scores(dims_of_sizes(operands.q), a.scale);
  const attention_by_operators by(operands, a, where);
  const at::Tensor slopes = by.keep(dy.matmul(operands.v.transpose(-2, -1))).sub(dy.mul(y).sum(-1, true));
  const at::Tensor t = by.weights.mul(slopes).mul(scale);
  all.zero_();
  all.narrow(-2, 0, l).narrow(-1, 0, e).copy_(t.matmul(operands.k));
  all.narrow(-2, l, s).narrow(-1, 0, e).copy_(t.transpose(-2, -1).matmul(operands.q));
  all.narrow(-2, l + s, s).narrow(-1, 0, v).copy_(by.keep(by.weights).transpose(-2, -1).matmul(dy));
}

}  // namespace koila::inline v0::detail
