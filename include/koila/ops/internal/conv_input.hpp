// SPDX-License-Identifier: MIT
#pragma once
// conv_input: the gradient of a convolution with respect to its input.
#include <koila/ops/convolution/convolution.hpp>

namespace koila::inline v0::internal {

/// (samples, out, ...) x (out, in / groups, k...) x (samples, in, ...) -> (samples, in, ...): the
/// gradient with respect to x, from dy, w and x. Only the dims of x are read.
inline constexpr struct conv_input : op<conv_input, 3> {
  static constexpr std::string_view name = "conv_input";
  using attributes = detail::conv_attributes;
  static constexpr unsigned shape_only = 0b100;
  static constexpr auto rule(const dims& dy, const dims& w, const dims& x, const attributes& a) -> verdict {
    if (const reason r = rules::shapes_of_convolution(x, w, dy, a); r != reason::accepted) return r;
    return x.with(dy.type);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& dy, const value& w, const value&, const dims& out, const attributes&)
      -> relations {
    const value in[] = {dy, w};
    return flows::convolution(in, 2, w.dims.rank - 2, out);
  }
  static constexpr auto cost(const dims& dy, const dims& w, const dims&, const dims& out, const attributes& a)
      -> op_cost {
    return detail::convolution(out, w, dy, a).cost_of_transposed(dy.bytes() + w.bytes() + out.bytes());
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& w, const at::Tensor&,
                       const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& w, const auto&,
                                 const attributes& a) {
    return gradients(detail::call_like<struct conv_like>(a, d, w, dy),
                     detail::call_like<struct conv_weight>(a, dy, d, w), no_gradient);
  }
} conv_input;

}  // namespace koila::inline v0::internal

#include <koila/ops/internal/conv_like.hpp>
#include <koila/ops/internal/conv_weight.hpp>
