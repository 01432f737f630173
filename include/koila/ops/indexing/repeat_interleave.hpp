// SPDX-License-Identifier: MIT
#pragma once
// repeat_interleave: repeats each element along a dim.
#include <koila/ops/indexing/repeats.hpp>
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/internal/broadcast_to.hpp>
#include <koila/ops/reduction/reduction.hpp>

#include <limits>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., r * n, ...): repeat_interleave(x, r, dim) repeats each slice of dim r
/// times. The repetitions of a slice are neighbours. Without a dim, x is flattened first. If the
/// batch axis is repeated, the result is still per sample, with r rows for each sample.
inline constexpr struct repeat_interleave : author::op<repeat_interleave, 1> {
  static constexpr std::string_view name = "repeat_interleave";
  struct attributes {
    static constexpr std::size_t positional = 2;
    static constexpr index_t none = std::numeric_limits<index_t>::min();
    attr<index_t> repeats = none;
    detail::dim_or_all dim;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, repeats, dim); }
    constexpr auto given() const -> bool { return repeats != attr<index_t>(none); }
    constexpr void write(auto& w) const {
      if (given()) w.put(" by "), repeats.write(w);
      if (!dim.all()) w.put(", dim "), dim.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!a.given()) return reason::no_number_given;
    if (a.repeats.known && a.repeats.value < 0) return reason::size_out_of_range;
    if (!a.dim.all() && x.rank == 0) return reason::no_rule_for_these_ranks;
    const dims from = a.dim.all() ? flat(x) : x;
    if (!from.ranked()) return from;
    if (from.rank == dims::capacity) return reason::too_many_dimensions;
    if (!a.dim.known) return detail::open_dims(from.rank, from.type);
    const int d = along(from, a);
    if (d < 0) return reason::dimension_out_of_range;
    if (!detail::countable(repeated(from, a))) return reason::size_out_of_range;
    dims out = from;
    if (!a.repeats.known) out.e[d] = {};
    else if (a.repeats.value != 1)
      out.e[d] = from.e[d].known() ? rules::part_extent(from.e[d], a.repeats.value * from.e[d].n) : extent{};
    return out;
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const dims from = a.dim.all() ? flat(dims_of(x)) : dims_of(x);
    const auto single = unsqueeze(detail::reshape_to(x, from), attr<index_t>(along(from, a) + 1));
    return detail::reshape_to(internal::broadcast_to(single, repeated(from, a)), rule(dims_of(x), a).out);
  }

 private:
  /// Returns the dims of the flattened x.
  static constexpr auto flat(const dims& x) -> dims {
    if (x.rank == 1) return x;
    return dims({x.known() ? extent{x.count(), {}, true} : extent{}}, x.type);
  }
  static constexpr auto along(const dims& x, const attributes& a) -> int {
    return a.dim.all() ? 0 : detail::wrap(a.dim.value, x.rank);
  }
  /// Returns the dims of x with the repetitions as a dim of their own, after the repeated dim.
  static constexpr auto repeated(const dims& x, const attributes& a) -> dims {
    dims out = x;
    int i = out.rank++;
    for (; i > along(x, a) + 1; --i) out.e[i] = x.e[i - 1];
    out.e[i] = a.repeats.known ? extent{a.repeats.value} : extent{};
    return out;
  }
} repeat_interleave;

}  // namespace koila::inline v0
