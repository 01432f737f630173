// SPDX-License-Identifier: MIT
#pragma once
// median_of_all: the median of all elements.
#include <koila/ops/reduction/selection.hpp>

namespace koila::inline v0::internal {

/// (...) -> (): the median of all elements. For an even number of elements, the median is the lower
/// of the two middle elements. Elements that equal the median share its gradient evenly. The op
/// needs the whole batch.
inline constexpr struct median_of_all : detail::amax_op<median_of_all, monoid::none> {
  static constexpr std::string_view name = "median";
  using attributes = detail::no_attributes;
  static constexpr auto rule(const dims& x) -> verdict { return rules::selected(x, {}, x.type); }
  static constexpr auto flow(const value& x, const dims& out) -> relations {
    return flows::whole_dim(x, -1, false, out);
  }
  /// The workspace holds the result and a copy of the values, which LibTorch reorders.
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {4.0 * static_cast<double>(x.count()), static_cast<double>(2 * x.bytes()), x.bytes() + out.bytes()};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& x) {
    return amax_op::gradient(dy, y, x, detail::reduction_attributes{});
  }
} median_of_all;

}  // namespace koila::inline v0::internal
