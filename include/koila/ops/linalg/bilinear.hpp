// SPDX-License-Identifier: MIT
#pragma once
// bilinear: x^T w y + b for each output feature.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/indexing/transpose.hpp>
#include <koila/ops/linalg/bmm.hpp>
#include <koila/ops/linalg/mm.hpp>
#include <koila/ops/pointwise/add.hpp>

namespace koila::inline v0 {

/// (..., n) x (..., m) x (out, n, m) -> (..., out): element o is x^T w[o] y, with an optional bias
/// (out).
inline constexpr struct bilinear : author::op<bilinear> {
  static constexpr std::string_view name = "bilinear";
  static constexpr auto rule(const dims& x, const dims& y, const dims& w) -> verdict {
    if (x.rank == 0 || y.rank == 0 || (w.ranked() && w.rank != 3)) return reason::no_rule_for_these_ranks;
    const auto differ = [](dtype s, dtype other) {
      return s != dtype::unknown && other != dtype::unknown && s != other;
    };
    if (differ(x.type, y.type) || differ(x.type, w.type) || differ(y.type, w.type)) return reason::dtypes_differ;
    const dtype type = x.type != dtype::unknown ? x.type : y.type != dtype::unknown ? y.type : w.type;
    if (type != dtype::unknown && !is_floating(type)) return reason::not_a_floating_type;
    if (x.ranked() && y.ranked() && x.rank != y.rank) return reason::no_rule_for_these_ranks;
    if (w.ranked() && ((x.ranked() && detail::compare_extents(x[-1], w[1]) == detail::tristate::no) ||
                       (y.ranked() && detail::compare_extents(y[-1], w[2]) == detail::tristate::no)))
      return reason::in_features_differ;
    if (!x.ranked() && !y.ranked()) return dims(type);
    dims out = (x.ranked() ? x : y).with(type);
    for (int i = 0; i + 1 < out.rank && x.ranked() && y.ranked(); ++i) {
      if (detail::compare_extents(x[i], y[i]) == detail::tristate::no) return reason::batch_dimensions_differ;
      out[i] = detail::either(x[i], y[i]);
    }
    out[-1] = w.ranked() ? w[0] : extent{};
    return out;
  }
  static constexpr auto rule(const dims& x, const dims& y, const dims& w, const dims& b) -> verdict {
    const verdict v = rule(x, y, w);
    if (!v.accepted()) return v;
    if (b.type != dtype::unknown && v.out.type != dtype::unknown && b.type != v.out.type) return reason::dtypes_differ;
    if (b.ranked() && (b.rank != 1 || (w.ranked() && detail::compare_extents(b[0], w[0]) == detail::tristate::no)))
      return reason::bias_is_not_out_features;
    return v;
  }

  /// Computes x^T w for all output features in one product, (rows, n) x (n, out * m). Then
  /// multiplies each row of the result by y.
  static constexpr auto expand(const auto& x, const auto& y, const auto& w) {
    const dims dx = dims_of(x), dy = dims_of(y), dw = dims_of(w);
    const extent rows = dx.rank == 2 ? dx[0] : extent{dx.count(0, dx.rank - 1), {}, true};
    const auto flat_w = detail::reshape_to(transpose(w, 0_c, 1_c), dims({dw[1], extent{dw[0].n * dw[2].n, {}, true}}));
    const auto left = mm(detail::reshape_to(x, dims({rows, dx[-1]})), flat_w);  // (rows, out * m)
    return detail::reshape_to(bmm(detail::reshape_to(left, dims({rows, dw[0], dw[2]})),
                                  detail::reshape_to(y, dims({rows, dy[-1], extent{1}}))),
                              rule(dx, dy, dw).out);
  }
  static constexpr auto expand(const auto& x, const auto& y, const auto& w, const Expression auto& b) {
    return add(bilinear{}(x, y, w), b);
  }
} bilinear;

}  // namespace koila::inline v0
