// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops that sort the elements along a dim.
#include <koila/ops/reduction/selection.hpp>
#include <koila/ops/reduction/values_and_indices.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attributes of sort, as in sort(x), sort(x, 1_c) or sort(x, dim = 0_c, descending = true).
struct sort_attributes {
  static constexpr std::size_t positional = 2;
  attr<index_t> dim = -1;
  attr<bool> descending = false;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim, descending); }
  constexpr void write(auto& w) const { w.put(", dim "), dim.write(w); }
  friend constexpr auto operator==(const sort_attributes&, const sort_attributes&) -> bool = default;
};

/// The attributes of topk, as in topk(x, 3_c) or topk(x, 3_c, 1_c, largest = false).
struct topk_attributes {
  static constexpr std::size_t positional = 4;
  attr<index_t> k = -1;
  attr<index_t> dim = -1;
  attr<bool> largest = true, sorted = true;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, k, dim, largest, sorted); }
  constexpr void write(auto& w) const {
    w.put(", k "), k.write(w);
    w.put(", dim "), dim.write(w);
  }
  friend constexpr auto operator==(const topk_attributes&, const topk_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// (..., n, ...) -> (..., n, ...).
constexpr auto ordered(const dims& x, const detail::sort_attributes& a, dtype type) -> verdict {
  if (x.ranked() && a.dim.known && detail::wrap(a.dim.value, x.rank == 0 ? 1 : x.rank) < 0)
    return reason::dimension_out_of_range;
  return x.with(type);
}

/// (..., n, ...) -> (..., k, ...).
constexpr auto best(const dims& x, const detail::topk_attributes& a, dtype type) -> verdict {
  if (x.type == dtype::boolean) return reason::no_rule_for_booleans;
  if (a.k.known && a.k.value < 0) return reason::size_out_of_range;
  if (!x.ranked()) return dims(type);
  if (!a.dim.known) return detail::open_dims(x.rank, type);
  const int d = detail::wrap(a.dim.value, x.rank == 0 ? 1 : x.rank);
  if (d < 0) return reason::dimension_out_of_range;
  const extent n = x.rank == 0 ? extent{1} : x.e[d];
  if (a.k.known && n.known() && a.k.value > n.n) return reason::number_is_too_large;
  dims out = x.with(type);
  if (x.rank > 0) out.e[d] = a.k.known ? extent{a.k.value} : extent{};
  return out;
}

}  // namespace rules

namespace flows {

/// The flow of an op that sorts along one dim. If the samples lie along this dim, the op needs all
/// samples at once. Otherwise the result has the batch relation of x.
constexpr auto ordered(const value& x, int dim, const dims& out) -> relations {
  if (x.batch_relation.sampled() && dim == x.batch_relation.axis) return gather(&x, 1, out);
  relations f;
  f.out = x.batch_relation;
  return f;
}

}  // namespace flows

}  // namespace koila::inline v0
