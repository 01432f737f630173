// SPDX-License-Identifier: MIT
#pragma once
// conv3d: convolution over three dims.
#include <koila/ops/convolution/conv_base.hpp>
#include <koila/ops/internal/conv_input.hpp>

namespace koila::inline v0 {

/// (samples, in, d, h, w) x (out, in / groups, k, k, k) -> (samples, out, d', h', w'): convolution
/// over three dims. x and the result may lack the dim `samples`. An optional third operand is the
/// bias (out).
inline constexpr struct conv3d : detail::conv_op<conv3d, 3> {
  static constexpr std::string_view name = "conv3d";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const attributes& a);
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                       const attributes& a);
} conv3d;

}  // namespace koila::inline v0
