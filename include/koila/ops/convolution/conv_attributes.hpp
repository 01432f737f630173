// SPDX-License-Identifier: MIT
#pragma once
// The attributes of convolutions.
#include <koila/ops/convolution/windows.hpp>

namespace koila::inline v0::detail {

/// The attributes of a convolution, as in conv2d(x, w, b, 2_c, 1_c) or conv2d(x, w, stride =
/// list_of(2_c, 1_c), padding = kSame, groups = 2_c).
struct conv_attributes {
  static constexpr std::size_t positional = 4;
  attr_list stride = 1;
  paddings padding = 0;
  attr_list dilation = 1;
  attr<index_t> groups = 1;

  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, stride, padding, dilation, groups); }
  constexpr void write(auto& w) const {
    detail::write_unless(w, "stride", stride, attr_list(1));
    detail::write_unless(w, "padding", padding, paddings(0));
    detail::write_unless(w, "dilation", dilation, attr_list(1));
    detail::write_unless(w, "groups", groups, attr<index_t>(1));
  }
  friend constexpr auto operator==(const conv_attributes&, const conv_attributes&) -> bool = default;
};

/// The attributes of a transposed convolution, in LibTorch's order.
struct conv_transpose_attributes {
  static constexpr std::size_t positional = 5;
  attr_list stride = 1;
  paddings padding = 0;
  attr_list output_padding = 0;
  attr<index_t> groups = 1;
  attr_list dilation = 1;

  constexpr void set(std::size_t i, const auto& v) {
    detail::assign_at(i, v, stride, padding, output_padding, groups, dilation);
  }
  constexpr void write(auto& w) const {
    detail::write_unless(w, "stride", stride, attr_list(1));
    detail::write_unless(w, "padding", padding, paddings(0));
    detail::write_unless(w, "output_padding", output_padding, attr_list(0));
    detail::write_unless(w, "groups", groups, attr<index_t>(1));
    detail::write_unless(w, "dilation", dilation, attr_list(1));
  }
  /// Returns the attributes of the convolution whose transpose has these attributes.
  constexpr operator conv_attributes() const {
    conv_attributes a;
    a.stride = stride, a.padding = padding, a.dilation = dilation, a.groups = groups;
    return a;
  }
  friend constexpr auto operator==(const conv_transpose_attributes&, const conv_transpose_attributes&)
      -> bool = default;
};

}  // namespace koila::inline v0::detail
