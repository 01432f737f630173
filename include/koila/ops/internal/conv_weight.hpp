// SPDX-License-Identifier: MIT
#pragma once
// conv_weight: the gradient of a convolution with respect to its weight.
#include <koila/ops/convolution/convolution.hpp>

namespace koila::inline v0::internal {

/// (samples, out, ...) x (samples, in, ...) x (out, in / groups, k...) -> (out, in / groups, k...):
/// the gradient with respect to w, from dy, x and w. The gradient is a sum over the samples. Each
/// chunk adds the sum over its own samples. Only the dims of w are read.
inline constexpr struct conv_weight : op<conv_weight, 3> {
  static constexpr std::string_view name = "conv_weight";
  using attributes = detail::conv_attributes;
  static constexpr unsigned shape_only = 0b100;
  static constexpr auto rule(const dims& dy, const dims& x, const dims& w, const attributes& a) -> verdict {
    if (const reason r = rules::shapes_of_convolution(x, w, dy, a); r != reason::accepted) return r;
    return w.with(dy.type);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& dy, const value& x, const value& w, const dims& out, const attributes&)
      -> relations {
    const value in[] = {dy, x};
    relations f;
    if (!dy.batch_relation.sampled() && !x.batch_relation.sampled()) return f;
    for (const value& v : in)
      if (v.dims.rank != w.dims.rank || (v.batch_relation.sampled() && v.batch_relation.axis != 0))
        return flows::gather(in, 2, out);
    const batch_relation& r = dy.batch_relation.sampled() ? dy.batch_relation : x.batch_relation;
    f.out = partial(monoid::sum);
    f.operand[0] = f.operand[1] = {need::rows, r};
    return f;
  }
  static constexpr auto cost(const dims& dy, const dims& x, const dims&, const dims& out, const attributes& a)
      -> op_cost {
    return detail::convolution(x, out, dy, a).cost_of_weight(dy.bytes() + x.bytes() + out.bytes());
  }
  static void evaluate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& x, const at::Tensor&,
                       const attributes& a);
  static void accumulate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& x, const at::Tensor&,
                         const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const auto&,
                                 const attributes& a) {
    return gradients(detail::call_like<struct conv_like>(a, x, d, dy),
                     detail::call_like<struct conv_input>(a, dy, d, x), no_gradient);
  }
} conv_weight;

}  // namespace koila::inline v0::internal

#include <koila/ops/internal/conv_input.hpp>
#include <koila/ops/internal/conv_like.hpp>
