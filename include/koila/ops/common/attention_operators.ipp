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
  attention_by_operators(const attention_operands& of, const A& a, const portion& where) {
    at::Tensor s = of.q.mul(factor_of_scores(dims_of_sizes(of.q), a.scale)).matmul(of.k.transpose(-2, -1));
    if (a.is_causal.value)
      s.masked_fill_(s.new_ones({s.size(-2), s.size(-1)}, s.options().dtype(at::kBool)).triu(1), -INFINITY);
    if (of.mask != nullptr)
      of.mask->scalar_type() == at::kBool ? s.masked_fill_(of.mask->logical_not(), -INFINITY) : s.add_(*of.mask);
    weights = s.softmax(-1);
    if (of.mask != nullptr) weights.masked_fill_(s.eq(-INFINITY).all(-1, true), 0);
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
void attend_by_operators(at::Tensor& y, const attention_operands& of, const A& a, const portion& where = {}) {
  const attention_by_operators by(of, a, where);
  y.copy_(by.keep(by.weights).matmul(of.v));
}

template <class A>
void attend_back_by_operators(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const attention_operands& of,
                              const A& a, const portion& where = {}) {
  const index_t l = of.q.size(-2), s = of.k.size(-2), e = of.q.size(-1), v = of.v.size(-1);
  const double scale = factor_of_scores(dims_of_sizes(of.q), a.scale);
  const attention_by_operators by(of, a, where);
  const at::Tensor slopes = by.keep(dy.matmul(of.v.transpose(-2, -1))).sub(dy.mul(y).sum(-1, true));
  const at::Tensor t = by.weights.mul(slopes).mul(scale);
  all.zero_();
  all.narrow(-2, 0, l).narrow(-1, 0, e).copy_(t.matmul(of.k));
  all.narrow(-2, l, s).narrow(-1, 0, e).copy_(t.transpose(-2, -1).matmul(of.q));
  all.narrow(-2, l + s, s).narrow(-1, 0, v).copy_(by.keep(by.weights).transpose(-2, -1).matmul(dy));
}

}  // namespace koila::inline v0::detail
