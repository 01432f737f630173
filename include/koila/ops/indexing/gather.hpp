// SPDX-License-Identifier: MIT
#pragma once
// gather: elements chosen along a dim by an index.
#include <koila/ops/internal/gather_backward.hpp>

namespace koila::inline v0 {

/// (..., n, ...) x int64 (..., m, ...) -> (..., m, ...): gather(x, dim, index)[i, ..., k, ..., j]
/// is x[i, ..., index[i, ..., k, ..., j], ..., j].
inline constexpr struct gather : detail::indexing<gather, 2> {
  static constexpr std::string_view name = "gather";
  static constexpr auto rule(const dims& x, const dims& index, const attributes& a) -> verdict {
    return rules::gathered(x, index, a);
  }
  static constexpr auto flow(const value& x, const value& index, const dims& out, const attributes& a) -> relations {
    const int d = detail::wrap(a.dim.value, out.rank);
    const value in[] = {x, index};
    if (!index.batch_relation.sampled() || index.batch_relation.axis != d ||
        (x.batch_relation.sampled() && x.batch_relation.axis != d))
      return flows::beside(in, 2, d, out);
    relations f;  // every sample may select any element of x along dim
    f.out = index.batch_relation;
    f.operand[0].kind = need::whole;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims&, const dims& index, const dims& out) -> op_cost {
    return {0, static_cast<double>(index.bytes() + 2 * out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& index, const attributes& a) {
    return gradients(internal::gather_backward(dy, x, index, koila::dim = a.dim), no_gradient);
  }
} gather;

}  // namespace koila::inline v0
