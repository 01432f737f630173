// SPDX-License-Identifier: MIT
#pragma once
// cdist_forward: the distances between all pairs of points of two lists.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/indexing/transpose.hpp>
#include <koila/ops/internal/cdist_backward.hpp>

namespace koila::inline v0::internal {

/// (b, n, m) x (b, r, m) -> (b, n, r): the p-norm of the difference of each point of x1 and each
/// point of x2. cdist expands to this op.
inline constexpr struct cdist_forward : op<cdist_forward, 2> {
  static constexpr std::string_view name = "cdist_forward";
  using attributes = detail::distance_attributes;
  static constexpr auto rule(const dims& x1, const dims& x2, const attributes& a) -> verdict {
    return rules::distances(x1, x2, a);
  }
  /// The result is per sample if the samples are points or lists of points. If the samples lie
  /// along the coordinates, the op needs all of them.
  static constexpr auto flow(const value& x1, const value& x2, const dims& out) -> relations {
    const value in[] = {x1, x2};
    const batch_relation &r1 = x1.batch_relation, &r2 = x2.batch_relation;
    if ((r1.sampled() && r1.axis == 2) || (r2.sampled() && r2.axis == 2)) return flows::gather(in, 2, out);
    relations f;
    if (!r1.sampled() && !r2.sampled()) return f;
    const batch_relation& r = r1.sampled() ? r1 : r2;
    if (r.axis == 0) {
      f.out = r;
      f.operand[0] = f.operand[1] = {need::rows, r};
    } else if (r1.sampled()) {
      f.out = r1;
      f.operand[1].kind = need::whole;
    } else {
      f.out = samples_along(2, r2.outer, r2.inner);
      f.operand[0].kind = need::whole;
    }
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x1, const dims& x2, const dims& out) -> op_cost {
    return {3.0 * static_cast<double>(out.count()) * static_cast<double>(x1[2].n),
            static_cast<double>(x1.bytes() + x2.bytes() + out.bytes()), out.bytes()};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x1, const at::Tensor& x2, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& x1, const auto& x2, const attributes& a) {
    if (a.p.value == 0) return gradients(expand_like(0, x1), expand_like(0, x2));
    const auto swapped = [](const auto& v) { return transpose(v, 1_c, 2_c); };
    return gradients(cdist_backward(dy, x1, x2, y, ops::p = a.p),
                     cdist_backward(swapped(dy), x2, x1, swapped(y), ops::p = a.p));
  }
} cdist_forward;

}  // namespace koila::inline v0::internal
