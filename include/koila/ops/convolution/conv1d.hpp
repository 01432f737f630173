// SPDX-License-Identifier: MIT
#pragma once
// conv1d: convolution over one dim.
#include <koila/ops/convolution/conv_base.hpp>
#include <koila/ops/internal/conv_input.hpp>

namespace koila::inline v0 {

/// (samples, in, l) x (out, in / groups, k) -> (samples, out, l'): convolution over one dim. x and
/// the result may lack the dim `samples`. An optional third operand is the bias (out).
inline constexpr struct conv1d : detail::conv_op<conv1d, 1> {
  static constexpr std::string_view name = "conv1d";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const attributes& a);
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                       const attributes& a);
} conv1d;

}  // namespace koila::inline v0
