// SPDX-License-Identifier: MIT
#pragma once
// conv2d: convolution over two dims.
#include <koila/ops/convolution/conv_base.hpp>
#include <koila/ops/internal/conv_input.hpp>

namespace koila::inline v0 {

/// (samples, in, h, w) x (out, in / groups, k, k) -> (samples, out, h', w'): convolution over two
/// dims. x and the result may lack the dim `samples`. An optional third operand is the bias (out).
inline constexpr struct conv2d : detail::conv_op<conv2d, 2> {
  static constexpr std::string_view name = "conv2d";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const attributes& a);
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                       const attributes& a);
} conv2d;

}  // namespace koila::inline v0
