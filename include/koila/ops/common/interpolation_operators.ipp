// SPDX-License-Identifier: MIT
#pragma once
// Interpolation by LibTorch's operators. There is one operator for each mode and number of
// spatial dims.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/vision/interpolation.hpp>

#include <ATen/ops/upsample_bicubic2d_backward_ops.h>
#include <ATen/ops/upsample_bicubic2d_ops.h>
#include <ATen/ops/upsample_bilinear2d_backward_ops.h>
#include <ATen/ops/upsample_bilinear2d_ops.h>
#include <ATen/ops/upsample_linear1d_backward_ops.h>
#include <ATen/ops/upsample_linear1d_ops.h>
#include <ATen/ops/upsample_nearest1d_backward_ops.h>
#include <ATen/ops/upsample_nearest1d_ops.h>
#include <ATen/ops/upsample_nearest2d_backward_ops.h>
#include <ATen/ops/upsample_nearest2d_ops.h>
#include <ATen/ops/upsample_nearest3d_backward_ops.h>
#include <ATen/ops/upsample_nearest3d_ops.h>
#include <ATen/ops/upsample_trilinear3d_backward_ops.h>
#include <ATen/ops/upsample_trilinear3d_ops.h>

namespace koila::inline v0::detail {

/// The arguments of an operator, except for its tensors. The tensors are (samples, channels,
/// ...).
struct interpolation_operator {
  const interpolate_attributes& a;
  int n;
  explicit interpolation_operator(const interpolate_attributes& setting, const at::Tensor& x)
      : a(setting), n(static_cast<int>(x.dim()) - 2) {}
  auto scale(int i) const -> std::optional<double> {
    return a.scale_factor.n > 0 ? std::optional<double>(a.scale_factor[i].value) : std::nullopt;
  }
  static auto spatial(const at::Tensor& y) -> c10::SymIntArrayRef { return y.sym_sizes().slice(2); }

  void forward(at::Tensor& y, const at::Tensor& x) const {
    const bool corners = a.align_corners.value;
    const auto to = spatial(y);
    if (a.mode.value == choice::nearest) {
      if (n == 1) at::_ops::upsample_nearest1d_out::call(x, to, scale(0), y);
      else if (n == 2) at::_ops::upsample_nearest2d_out::call(x, to, scale(0), scale(1), y);
      else at::_ops::upsample_nearest3d_out::call(x, to, scale(0), scale(1), scale(2), y);
    } else if (a.mode.value == choice::bicubic) {
      at::_ops::upsample_bicubic2d_out::call(x, to, corners, scale(0), scale(1), y);
    } else if (n == 1) {
      at::_ops::upsample_linear1d_out::call(x, to, corners, scale(0), y);
    } else if (n == 2) {
      at::_ops::upsample_bilinear2d_out::call(x, to, corners, scale(0), scale(1), y);
    } else {
      at::_ops::upsample_trilinear3d_out::call(x, to, corners, scale(0), scale(1), scale(2), y);
    }
  }
  void backward(at::Tensor& dx, const at::Tensor& dy) const {
    const bool corners = a.align_corners.value;
    const auto to = spatial(dy), from = dx.sym_sizes();
    if (a.mode.value == choice::nearest) {
      if (n == 1) at::_ops::upsample_nearest1d_backward_grad_input::call(dy, to, from, scale(0), dx);
      else if (n == 2) at::_ops::upsample_nearest2d_backward_grad_input::call(dy, to, from, scale(0), scale(1), dx);
      else at::_ops::upsample_nearest3d_backward_grad_input::call(dy, to, from, scale(0), scale(1), scale(2), dx);
    } else if (a.mode.value == choice::bicubic) {
      at::_ops::upsample_bicubic2d_backward_grad_input::call(dy, to, from, corners, scale(0), scale(1), dx);
    } else if (n == 1) {
      at::_ops::upsample_linear1d_backward_grad_input::call(dy, to, from, corners, scale(0), dx);
    } else if (n == 2) {
      at::_ops::upsample_bilinear2d_backward_grad_input::call(dy, to, from, corners, scale(0), scale(1), dx);
    } else {
      at::_ops::upsample_trilinear3d_backward_grad_input::call(dy, to, from, corners, scale(0), scale(1), scale(2), dx);
    }
  }
};

}  // namespace koila::inline v0::detail
