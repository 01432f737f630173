// SPDX-License-Identifier: MIT
#pragma once
// conv_transpose3d: transposed convolution over three dims.
#include <koila/ops/convolution/conv_base.hpp>
#include <koila/ops/internal/conv_input.hpp>

namespace koila::inline v0 {

/// (samples, in, d, h, w) x (in, out / groups, k, k, k) -> (samples, out, d', h', w'): transposed
/// convolution over three dims. x and the result may lack the dim `samples`. An optional third
/// operand is the bias (out).
inline constexpr struct conv_transpose3d : detail::conv_transpose_op<conv_transpose3d, 3> {
  static constexpr std::string_view name = "conv_transpose3d";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const attributes& a);
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                       const attributes& a);
} conv_transpose3d;

}  // namespace koila::inline v0
