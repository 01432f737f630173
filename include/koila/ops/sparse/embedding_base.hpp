// SPDX-License-Identifier: MIT
#pragma once
// Shared by the embedding ops, which read rows of a matrix by their indices.
#include <koila/ops/reduction/reduction.hpp>

#include <limits>

namespace koila::inline v0 {

namespace detail {

/// The value of `padding_idx` if none was given.
inline constexpr index_t no_padding = std::numeric_limits<index_t>::min();

/// The attributes of the embedding ops. A negative `padding_idx` counts from the end.
struct embedding_attributes {
  static constexpr std::size_t positional = 1;
  attr<index_t> padding_idx = no_padding;
  attr<bool> zero_padding = false;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, padding_idx); }
  constexpr void write(auto& w) const {
    if (given()) w.put(", padding_idx "), padding_idx.write(w);
  }
  constexpr auto given() const -> bool { return !padding_idx.known || padding_idx.value != no_padding; }
  /// The padding index as a row in [0, n), or -1 if no padding index was given.
  constexpr auto padding(index_t n) const -> index_t {
    return !given() ? -1 : padding_idx.value < 0 ? padding_idx.value + n : padding_idx.value;
  }
  friend constexpr auto operator==(const embedding_attributes&, const embedding_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// int64 (...) x (n, d) -> (..., d).
constexpr auto embedding(const dims& index, const dims& w, const detail::embedding_attributes& a) -> verdict {
  if (index.type != dtype::unknown && index.type != dtype::int64) return reason::index_is_not_integers;
  if (w.type != dtype::unknown && !is_floating(w.type)) return reason::not_a_floating_type;
  if (w.ranked() && w.rank != 2) return reason::no_rule_for_these_ranks;
  if (w.ranked() && w[0].known() && a.given() && a.padding_idx.known &&
      (a.padding_idx.value < -w[0].n || a.padding_idx.value >= w[0].n))
    return reason::number_is_too_large;
  if (!index.ranked()) return dims(w.type);
  if (index.rank >= dims::capacity) return reason::too_many_dimensions;
  dims out = index.with(w.type);
  out.e[out.rank++] = w.ranked() ? w[1] : extent{};
  return out;
}

}  // namespace rules
}  // namespace koila::inline v0
