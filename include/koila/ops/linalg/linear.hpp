// SPDX-License-Identifier: MIT
#pragma once
// linear: x w^T + b.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/linalg/mm.hpp>

namespace koila::inline v0 {

/// (..., in) x (out, in) -> (..., out): x w^T, plus an optional bias (out).
inline constexpr struct linear : author::op<linear> {
  static constexpr std::string_view name = "linear";
  static constexpr auto rule(const dims& x, const dims& w) -> verdict {
    if ((x.ranked() && x.rank < 1) || (w.ranked() && w.rank != 2)) return reason::no_rule_for_these_ranks;
    if (x.type != dtype::unknown && w.type != dtype::unknown && x.type != w.type) return reason::dtypes_differ;
    if (x.type == dtype::boolean || w.type == dtype::boolean) return reason::no_rule_for_booleans;
    if (!x.ranked() || !w.ranked()) return dims(x.type == dtype::unknown ? w.type : x.type);
    if (detail::compare_extents(x[-1], w[1]) == detail::tristate::no) return reason::in_features_differ;
    dims out = x.with(x.type == dtype::unknown ? w.type : x.type);
    out[-1] = w[0];
    return out;
  }
  static constexpr auto rule(const dims& x, const dims& w, const dims& b) -> verdict {
    const verdict v = rule(x, w);
    if (!v.accepted()) return v;
    if (b.type != dtype::unknown && w.type != dtype::unknown && b.type != w.type) return reason::dtypes_differ;
    if (b.ranked() && (b.rank != 1 || (w.ranked() && detail::compare_extents(b[0], w[0]) == detail::tristate::no)))
      return reason::bias_is_not_out_features;
    return v;
  }
  static constexpr auto flow(const value& x, const value&, const dims& out) -> relations {
    return from_input(x, out, 2);
  }
  static constexpr auto flow(const value& x, const value&, const value&, const dims& out) -> relations {
    return from_input(x, out, 3);
  }
  static constexpr auto required_layout(int, const dims& d) -> layout {
    return d.rank == 2 ? layout::matrix : layout::dense;
  }
  static constexpr auto cost(const dims& x, const dims& w, const dims& out) -> op_cost {
    return rules::product_cost(x, w, out, w[1].n);
  }
  static constexpr auto cost(const dims& x, const dims& w, const dims&, const dims& out) -> op_cost {
    return cost(x, w, out);
  }
  /// Returns the fan-in, which bounds the default initialisation of the bias.
  static constexpr auto fan_in(const dims&, const dims& w, const dims&) -> index_t { return w.rank == 2 ? w[1].n : 0; }

  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w);
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w) {
    return gradients(reshape_like(mm(matrix(dy), w), x), mm(transpose(matrix(dy), 0_c, 1_c), matrix(x)));
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w, const auto& b) {
    return gradients(reshape_like(mm(matrix(dy), w), x), mm(transpose(matrix(dy), 0_c, 1_c), matrix(x)),
                     internal::sum_to(dy, b));
  }

 private:
  /// The result is per sample if x is per sample and the samples do not lie along the features. If
  /// the samples lie along the features, the op needs all of x at once.
  static constexpr auto from_input(const value& x, const dims& out, int n) -> relations {
    relations f;
    if (x.batch_relation.sampled() && x.batch_relation.axis != x.dims.rank - 1) {
      f.out = x.batch_relation;
    } else {
      f.operand[0].kind = need::whole;
      if (const int axis = out.find(axis_name<struct batch>); x.batch_relation.sampled() && axis >= 0)
        f.resliced = true, f.again = samples_along(axis);
    }
    for (int k = 1; k < n; ++k) f.operand[k].kind = need::whole;
    return f;
  }
  /// Flattens all dims but the last: (..., n) -> (rows, n).
  static constexpr auto matrix(const auto& x) {
    const dims d = dims_of(x);
    if (d.rank == 2) return detail::reshape_to(x, d);
    return detail::reshape_to(
        x, d.ranked() ? dims({extent{d.count(0, d.rank - 1), {}, true}, d[-1]}) : detail::open_dims(2));
  }
} linear;

}  // namespace koila::inline v0
