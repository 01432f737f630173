// SPDX-License-Identifier: MIT
#pragma once
// embedding_backward: the gradient of embedding.
#include <koila/ops/sparse/embedding_base.hpp>

namespace koila::inline v0 {

struct embedding;

namespace internal {

/// (..., d) x int64 (...) x (n, d) -> (n, d): adds each row of dy to the row of the result that its
/// index selects, except for the row padding_idx. Each chunk adds the rows of its samples. Only the
/// dims of the weight are read.
inline constexpr struct embedding_backward : op<embedding_backward, 3> {
  static constexpr std::string_view name = "embedding_backward";
  using attributes = detail::embedding_attributes;
  static constexpr unsigned shape_only = 0b100;
  static constexpr auto rule(const dims& dy, const dims& index, const dims& w, const attributes& a) -> verdict {
    const verdict v = rules::embedding(index, w, a);
    if (!v.accepted()) return v;
    if (rules::same_shape(dy, v.out) == detail::tristate::no) return reason::shapes_differ;
    if (!rules::may_float(dy.type)) return reason::not_a_floating_type;
    if (!rules::same_type(dy, w)) return reason::dtypes_differ;
    return w.with(dy.type);
  }
  static constexpr auto flow(const value& dy, const value& index, const value&, const dims&, const attributes&)
      -> relations {
    relations f;
    const batch_relation& r = index.batch_relation.sampled() ? index.batch_relation : dy.batch_relation;
    if (!r.sampled()) return f;
    if (r.axis == dy.dims.rank - 1) {  // the samples lie along the features
      f.out = samples_along(1, r.outer, r.inner);
      f.operand[1].kind = need::whole;
      return f;
    }
    f.out = partial(monoid::sum);
    f.operand[0] = f.operand[1] = {need::rows, r};
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims& index, const dims&, const dims& out) -> op_cost {
    return detail::with_float32_sums(
        {static_cast<double>(dy.count()), static_cast<double>(3 * dy.bytes() + index.bytes() + out.bytes())}, out);
  }
  static void evaluate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& index, const at::Tensor& w,
                       const attributes& a);
  static void accumulate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& index, const at::Tensor& w,
                         const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto& index, const auto&,
                                 const attributes& a) {
    return gradients(
        detail::call<struct embedding>(index, d, koila::padding_idx = a.padding_idx, detail::zero_padding = a.given()),
        no_gradient, no_gradient);
  }
} embedding_backward;

}  // namespace internal

}  // namespace koila::inline v0

#include <koila/ops/sparse/embedding.hpp>
