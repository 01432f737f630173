// SPDX-License-Identifier: MIT
#pragma once
// cdist: the distances between all pairs of points of two lists.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/internal/broadcast_to.hpp>
#include <koila/ops/internal/cdist_forward.hpp>
#include <koila/ops/pointwise/precision.hpp>

#include <utility>

namespace koila::inline v0 {

/// (..., n, m) x (..., r, m) -> (..., n, r), leading dims broadcast: the p-norm of the difference
/// of each point of x1 and each point of x2. p is 2 by default. It may be 0, which counts the
/// coordinates that differ, or infinite. The gradient of a distance of 0 is 0.
inline constexpr struct cdist : author::op<cdist> {
  static constexpr std::string_view name = "cdist";
  using attributes = detail::distance_attributes;
  static constexpr auto rule(const dims& x1, const dims& x2, const attributes& a) -> verdict {
    if ((x1.ranked() && x1.rank < 2) || (x2.ranked() && x2.rank < 2)) return reason::no_rule_for_these_ranks;
    if (!rules::same_type(x1, x2)) return reason::dtypes_differ;
    const dtype type = x1.type == dtype::unknown ? x2.type : x1.type;
    if (!rules::may_float(type)) return reason::not_a_floating_type;
    if (const reason r = rules::distance_order(type, a); r != reason::accepted) return r;
    if (!x1.ranked() || !x2.ranked()) return dims(type);
    if (detail::compare_extents(x1[-1], x2[-1]) == detail::tristate::no) return reason::inner_dimensions_differ;
    const verdict lead = rules::broadcast(leading(x1), leading(x2), type);
    if (!lead.accepted()) return reason::batch_dimensions_differ;
    dims out = lead.out;
    out.e[out.rank++] = x1[-2];
    out.e[out.rank++] = x2[-2];
    return out;
  }
  /// Computes in stacks of lists of points. If one operand is a single list, all points of the
  /// other operand are one list, too, so that the single list is not repeated.
  static constexpr auto expand(const auto& x1, const auto& x2, const attributes& a) {
    const dims d1 = dims_of(x1), d2 = dims_of(x2), result = rule(d1, d2, a).out;
    return detail::rounded_once(d1.type, [&] {
      const auto y1 = detail::wide_operand(x1), y2 = detail::wide_operand(x2);
      if (d1.rank == 2 && d2.rank > 2) {  // (1, all points of x2, n), which is transposed
        dims swapped = result;
        std::swap(swapped[-2], swapped[-1]);
        return transpose(detail::reshape_to(between(as_list(y2, d2), as_list(y1, d1), a), swapped), -2_c, -1_c);
      }
      if (d2.rank == 2) return detail::reshape_to(between(as_list(y1, d1), as_list(y2, d2), a), result);
      const dims lead = rules::broadcast(leading(d1), leading(d2), d1.type).out;
      return detail::reshape_to(between(as_stack(y1, d1, lead), as_stack(y2, d2, lead), a), result);
    });
  }

 private:
  static constexpr auto leading(const dims& d) -> dims {
    dims out = d;
    out.rank -= 2;
    return out;
  }
  static constexpr auto between(const auto& x1, const auto& x2, const attributes& a) {
    return detail::call_with<struct internal::cdist_forward>(a, x1, x2);
  }
  /// (..., n, m) -> (1, all points, m).
  static constexpr auto as_list(const auto& x, const dims& d) {
    const extent points = d.rank == 2 ? d[0] : extent{d.count(0, d.rank - 1), {}, true};
    return detail::reshape_to(x, dims({extent{1}, points, d[-1]}, d.type));
  }
  /// (..., n, m) -> (b, n, m), where b is the number of lists after broadcasting.
  static constexpr auto as_stack(const auto& x, const dims& d, const dims& lead) {
    dims wide = lead;
    wide.e[wide.rank++] = d[-2];
    wide.e[wide.rank++] = d[-1];
    const extent lists = lead.rank == 1 ? lead[0] : extent{lead.count(), {}, true};
    return detail::reshape_to(internal::broadcast_to(x, wide), dims({lists, d[-2], d[-1]}, d.type));
  }
} cdist;

}  // namespace koila::inline v0
