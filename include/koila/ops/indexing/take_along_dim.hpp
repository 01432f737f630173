// SPDX-License-Identifier: MIT
#pragma once
// take_along_dim: gathers elements along a dim by an index that broadcasts.
#include <koila/ops/indexing/gather.hpp>
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/internal/broadcast_to.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0 {

/// (..., n, ...) x int64 (..., m, ...) -> (..., m, ...): take_along_dim(x, indices, dim) is
/// gather(x, dim, indices), but all dims except `dim` broadcast. Without a dim, both operands are
/// flattened.
inline constexpr struct take_along_dim : author::op<take_along_dim, 2> {
  static constexpr std::string_view name = "take_along_dim";
  struct attributes {
    static constexpr std::size_t positional = 1;
    detail::dim_or_all dim;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim); }
    constexpr void write(auto& w) const { w.put(", dim "), dim.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const dims& index, const attributes& a) -> verdict {
    if (!rules::indexes(index)) return reason::index_is_not_integers;
    if (flat(a)) {
      if (!index.ranked()) return dims({extent{}}, x.type);
      return dims({index.known() ? extent{index.count(), {}, true} : extent{}}, x.type);
    }
    if (x.rank == 0 || index.rank == 0) return reason::no_rule_for_these_ranks;
    if (!x.ranked() || !index.ranked()) return dims(x.type);
    if (x.rank != index.rank) return reason::no_rule_for_these_ranks;
    if (!a.dim.known) return detail::open_dims(x.rank, x.type);
    const int d = detail::wrap(a.dim.value, x.rank);
    if (d < 0) return reason::dimension_out_of_range;
    dims others = x;
    others.e[d] = index.e[d];
    return rules::broadcast(others, index, x.type);
  }
  static constexpr auto expand(const auto& x, const auto& index, const attributes& a) {
    if (flat(a)) {
      const dims d = dims_of(x), i = dims_of(index);
      return koila::gather(detail::reshape_to(x, dims({extent{d.count(), {}, true}})),
                           detail::reshape_to(index, dims({extent{i.count(), {}, true}})), koila::dim = 0);
    }
    const dims out = rule(dims_of(x), dims_of(index), a).out;
    const int d = detail::wrap(a.dim.value, out.rank);
    dims from = out;
    from.e[d] = dims_of(x).e[d];
    return koila::gather(internal::broadcast_to(x, from), internal::broadcast_to(index, out), koila::dim = a.dim);
  }

 private:
  static constexpr auto flat(const attributes& a) -> bool { return a.dim.all(); }
} take_along_dim;

}  // namespace koila::inline v0
