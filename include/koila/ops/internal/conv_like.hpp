// SPDX-License-Identifier: MIT
#pragma once
// conv_like: a convolution whose result has the shape of the third operand.
#include <koila/ops/convolution/convolution.hpp>

namespace koila::inline v0::internal {

/// (samples, in, ...) x (out, in / groups, k...) x (samples, out, ...) -> (samples, out, ...): a
/// convolution that occurs in the gradients of conv_input, conv_weight and the transposed
/// convolutions. The third operand has the shape of the result, which may be smaller than the shape
/// that x and w imply. Only the dims of the third operand are read.
inline constexpr struct conv_like : op<conv_like, 3> {
  static constexpr std::string_view name = "conv_like";
  using attributes = detail::conv_attributes;
  static constexpr unsigned shape_only = 0b100;
  static constexpr auto rule(const dims& x, const dims& w, const dims& y, const attributes& a) -> verdict {
    if (const reason r = rules::shapes_of_convolution(x, w, y, a); r != reason::accepted) return r;
    return y.with(x.type);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const value& w, const value&, const dims& out, const attributes&)
      -> relations {
    const value in[] = {x, w};
    return flows::convolution(in, 2, w.dims.rank - 2, out);
  }
  static constexpr auto cost(const dims& x, const dims& w, const dims&, const dims& out, const attributes& a)
      -> op_cost {
    return detail::convolution(x, w, out, a).cost_of_forward(x.bytes() + w.bytes() + out.bytes());
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor&, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& x, const auto& w, const auto&,
                                 const attributes& a) {
    return gradients(detail::call_like<struct conv_input>(a, d, w, x),
                     detail::call_like<struct conv_weight>(a, d, x, w), no_gradient);
  }
} conv_like;

}  // namespace koila::inline v0::internal

#include <koila/ops/internal/conv_input.hpp>
#include <koila/ops/internal/conv_weight.hpp>
