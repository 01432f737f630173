// SPDX-License-Identifier: MIT
#pragma once
// conv_transpose1d: transposed convolution over one dim.
#include <koila/ops/convolution/conv_base.hpp>
#include <koila/ops/internal/conv_input.hpp>

namespace koila::inline v0 {

/// (samples, in, l) x (in, out / groups, k) -> (samples, out, l'): transposed convolution over one
/// dim. x and the result may lack the dim `samples`. An optional third operand is the bias (out).
inline constexpr struct conv_transpose1d : detail::conv_transpose_op<conv_transpose1d, 1> {
  static constexpr std::string_view name = "conv_transpose1d";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const attributes& a);
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                       const attributes& a);
} conv_transpose1d;

}  // namespace koila::inline v0
