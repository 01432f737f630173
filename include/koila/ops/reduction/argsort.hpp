// SPDX-License-Identifier: MIT
#pragma once
// argsort: the indices that sort a dim.
#include <koila/ops/reduction/sorting.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> int64 (..., n, ...): the indices that sort x along `dim`, the last dim by
/// default. The sort is stable: equal elements keep their order.
inline constexpr struct argsort : author::op<argsort, 1> {
  static constexpr std::string_view name = "argsort";
  using attributes = detail::sort_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::ordered(x, a, int64); }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::ordered(x, detail::wrap(a.dim.value, x.dims.rank), out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {10.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} argsort;

}  // namespace koila::inline v0
