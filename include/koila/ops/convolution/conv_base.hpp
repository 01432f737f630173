// SPDX-License-Identifier: MIT
#pragma once
// The bases of conv1d, conv2d, conv3d and their transposes.
#include <koila/ops/convolution/convolution.hpp>

namespace koila::inline v0::detail {

/// The base of convolutions and transposed convolutions. Operands must be contiguous; the samples
/// lie along dim 0.
template <class Op, int N, class Attributes>
struct convolving : op<Op, 3> {
  using attributes = Attributes;
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  /// Returns the fan-in of the weight, which bounds the default initialisation of the bias.
  static constexpr auto fan_in(const dims&, const dims& w, const dims&) -> index_t { return w.count(1, w.rank); }
  static constexpr auto flow(const value& x, const value& w, const dims& out, const attributes&) -> relations {
    const value in[] = {x, w};
    return flows::convolution(in, 2, N, out);
  }
  static constexpr auto flow(const value& x, const value& w, const value& b, const dims& out, const attributes&)
      -> relations {
    const value in[] = {x, w, b};
    return flows::convolution(in, 3, N, out);
  }
};

/// A convolution over N spatial dims.
template <class Op, int N>
struct conv_op : convolving<Op, N, conv_attributes> {
  using attributes = conv_attributes;
  static constexpr auto rule(const dims& x, const dims& w, const attributes& a) -> verdict {
    return rules::convolution(x, w, a, N);
  }
  static constexpr auto rule(const dims& x, const dims& w, const dims& b, const attributes& a) -> verdict {
    return rules::biased(rule(x, w, a), b, N);
  }
  static constexpr auto cost(const dims& x, const dims& w, const dims& out, const attributes& a) -> op_cost {
    return detail::convolution(x, w, out, a).cost_of_forward(x.bytes() + w.bytes() + out.bytes());
  }
  static constexpr auto cost(const dims& x, const dims& w, const dims&, const dims& out, const attributes& a)
      -> op_cost {
    return cost(x, w, out, a);
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w, const attributes& a) {
    return gradients(detail::call_like<struct internal::conv_input>(a, dy, w, x),
                     detail::call_like<struct internal::conv_weight>(a, dy, x, w));
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w, const auto& b,
                                 const attributes& a) {
    return gradients(detail::call_like<struct internal::conv_input>(a, dy, w, x),
                     detail::call_like<struct internal::conv_weight>(a, dy, x, w), detail::bias_gradient(dy, b, N));
  }
};

/// A transposed convolution over N spatial dims.
template <class Op, int N>
struct conv_transpose_op : convolving<Op, N, conv_transpose_attributes> {
  using attributes = conv_transpose_attributes;
  static constexpr auto rule(const dims& x, const dims& w, const attributes& a) -> verdict {
    return rules::transposed_convolution(x, w, a, N);
  }
  static constexpr auto rule(const dims& x, const dims& w, const dims& b, const attributes& a) -> verdict {
    return rules::biased(rule(x, w, a), b, N);
  }
  static constexpr auto cost(const dims& x, const dims& w, const dims& out, const attributes& a) -> op_cost {
    return detail::convolution(out, w, x, a).cost_of_transposed(x.bytes() + w.bytes() + out.bytes());
  }
  static constexpr auto cost(const dims& x, const dims& w, const dims&, const dims& out, const attributes& a)
      -> op_cost {
    return cost(x, w, out, a);
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w, const attributes& a) {
    return gradients(detail::call_like<struct internal::conv_like>(a, dy, w, x),
                     detail::call_like<struct internal::conv_weight>(a, x, dy, w));
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w, const auto& b,
                                 const attributes& a) {
    return gradients(detail::call_like<struct internal::conv_like>(a, dy, w, x),
                     detail::call_like<struct internal::conv_weight>(a, x, dy, w), detail::bias_gradient(dy, b, N));
  }
};

}  // namespace koila::inline v0::detail
