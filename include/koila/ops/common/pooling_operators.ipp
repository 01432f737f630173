// SPDX-License-Identifier: MIT
#pragma once
// Pooling by LibTorch's operators, which exist for two and three spatial dims. A single spatial
// dim is passed as the second of two dims.
#include <koila/ops/common/spatial_values.ipp>
#include <koila/ops/pooling/pooling.hpp>

#include <ATen/ops/_adaptive_avg_pool2d_backward_ops.h>
#include <ATen/ops/_adaptive_avg_pool3d_backward_ops.h>
#include <ATen/ops/adaptive_avg_pool2d_ops.h>
#include <ATen/ops/adaptive_avg_pool3d_ops.h>
#include <ATen/ops/adaptive_max_pool2d_ops.h>
#include <ATen/ops/adaptive_max_pool3d_ops.h>
#include <ATen/ops/avg_pool2d_backward_ops.h>
#include <ATen/ops/avg_pool2d_ops.h>
#include <ATen/ops/avg_pool3d_backward_ops.h>
#include <ATen/ops/avg_pool3d_ops.h>
#include <ATen/ops/max_pool2d_with_indices_ops.h>
#include <ATen/ops/max_pool3d_with_indices_ops.h>

namespace koila::inline v0::detail {

struct pool_operators {
  const pool_of& p;
  spatial_values size, kernel, stride, padding, dilation;

  explicit pool_operators(const pool_of& setting)
      : p(setting), size(p.output_size, p.adaptive() ? p.n : 0, 2, 1),
        kernel(p.kernel_size, p.adaptive() ? 0 : p.n, 2, 1),
        stride(p.stride.empty() ? p.kernel_size : p.stride, p.adaptive() ? 0 : p.n, 2, 1),
        padding(p.padding, p.n, 2, 0), dilation(p.dilation, p.n, 2, 1) {}

  auto three() const -> bool { return p.n == 3; }
  /// Returns x as (planes, ...), with two or three spatial dims.
  auto planes(const at::Tensor& x) const -> at::Tensor {
    std::int64_t sizes[windows::capacity + 1] = {1, 1};
    std::size_t n = p.n == 1 ? 2 : 1;
    for (std::int64_t i = 0; i < x.dim() - p.n; ++i) sizes[0] *= x.size(i);
    for (std::int64_t i = x.dim() - p.n; i < x.dim(); ++i) sizes[n++] = x.size(i);
    return x.view(at::IntArrayRef(sizes, n));
  }
  /// Flattens each plane: (planes, ...) -> (planes, elements).
  static auto as_lines(const at::Tensor& planes) -> at::Tensor { return planes.flatten(1); }
  /// Returns the position of each window's maximum in the window's plane, as (planes, windows).
  auto where_maxima_are(const at::Tensor& x) const -> at::Tensor {
    const bool ceil = p.ceil_mode.value;
    const at::Tensor of = planes(x);
    const at::Tensor at =
        p.adaptive() ? std::get<1>(three() ? at::_ops::adaptive_max_pool3d::call(of, size)
                                           : at::_ops::adaptive_max_pool2d::call(of, size))
        : three()    ? std::get<1>(at::_ops::max_pool3d_with_indices::call(of, kernel, stride, padding, dilation, ceil))
                  : std::get<1>(at::_ops::max_pool2d_with_indices::call(of, kernel, stride, padding, dilation, ceil));
    return as_lines(at);
  }
  auto divisor() const -> std::optional<std::int64_t> {
    return p.divisor_override.value != 0 ? std::optional<std::int64_t>(p.divisor_override.value) : std::nullopt;
  }
  void mean(const at::Tensor& y, const at::Tensor& x) const {
    const bool ceil = p.ceil_mode.value, padded = p.count_include_pad.value;
    at::Tensor to = planes(y);
    const at::Tensor of = planes(x);
    if (p.adaptive())
      three() ? at::_ops::adaptive_avg_pool3d_out::call(of, size, to)
              : at::_ops::adaptive_avg_pool2d_out::call(of, size, to);
    else if (three()) at::_ops::avg_pool3d_out::call(of, kernel, stride, padding, ceil, padded, divisor(), to);
    else at::_ops::avg_pool2d_out::call(of, kernel, stride, padding, ceil, padded, divisor(), to);
  }
  void mean_backward(const at::Tensor& dx, const at::Tensor& dy) const {
    const bool ceil = p.ceil_mode.value, padded = p.count_include_pad.value;
    at::Tensor to = planes(dx);  // LibTorch reads only the sizes of the pool's operand
    const at::Tensor of = planes(dy);
    if (p.adaptive())
      to.copy_(three() ? at::_ops::_adaptive_avg_pool3d_backward::call(of, to)
                       : at::_ops::_adaptive_avg_pool2d_backward::call(of, to));
    else if (three())
      at::_ops::avg_pool3d_backward_grad_input::call(of, to, kernel, stride, padding, ceil, padded, divisor(), to);
    else at::_ops::avg_pool2d_backward_grad_input::call(of, to, kernel, stride, padding, ceil, padded, divisor(), to);
  }
};

}  // namespace koila::inline v0::detail
