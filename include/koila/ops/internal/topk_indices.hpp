// SPDX-License-Identifier: MIT
#pragma once
// topk_indices: the indices of the k largest elements.
#include <koila/ops/reduction/sorting.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) -> int64 (..., k, ...): the indices of the k largest, or smallest, elements along
/// `dim`. Booleans are not allowed.
inline constexpr struct topk_indices : op<topk_indices, 1> {
  static constexpr std::string_view name = "topk";
  using attributes = detail::topk_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::best(x, a, int64); }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::ordered(x, detail::wrap(a.dim.value, x.dims.rank), out);
  }
  /// The workspace holds the k largest (or smallest) values, which LibTorch's topk computes too.
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {4.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()),
            out.count() * detail::bytes_of(x.type)};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} topk_indices;

}  // namespace koila::inline v0::internal
