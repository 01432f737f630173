// SPDX-License-Identifier: MIT
#pragma once
// unfold: copies the windows of an image into columns.
#include <koila/ops/convolution/unfolding.hpp>
#include <koila/ops/indexing/reshape.hpp>

namespace koila::inline v0 {

/// (samples, channels, h, w) -> (samples, channels * k * k, windows): each column holds the
/// elements of one window. x and the result may lack the dim `samples`.
inline constexpr struct unfold : author::op<unfold, 1> {
  static constexpr std::string_view name = "unfold";
  static constexpr std::string_view aten = "im2col";
  using attributes = detail::unfold_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::unfolded(x, a); }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes&) -> relations {
    return flows::samples_first(x, 4, out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    attr_list image;
    image.n = 2;
    for (int i = 0; i < 2; ++i) image.e[i] = dims_of(x)[i - 2].n;
    const auto folded =
        detail::call<struct fold>(dy, koila::output_size = image, koila::kernel_size = a.kernel_size,
                                  koila::dilation = a.dilation, koila::padding = a.padding, koila::stride = a.stride);
    return gradients(reshape_like(folded, x));  // reshape_like also restores x's named axes
  }
} unfold;

}  // namespace koila::inline v0

#include <koila/ops/convolution/fold.hpp>
