// SPDX-License-Identifier: MIT
#pragma once
// expand: repeats dims of extent 1, as LibTorch's expand does.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/internal/broadcast_to.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., 1, ...) -> (sizes...): expand(x, 4_c, -1_c) repeats dims of extent 1 and adds repeated
/// dims in front. A size of -1 leaves a dim unchanged, and so does the dim's own axis. The result
/// is a view. To expand to the dims of another value, call expand_like(x, other).
inline constexpr struct expand_op : op<expand_op, 1> {
  static constexpr std::string_view name = "expand";
  using attributes = detail::attributes_t<struct reshape>;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    const rules::sizes& to = a.to;
    if (to.too_many) return reason::too_many_dimensions;
    if (x.rank > to.rank) return reason::not_broadcastable;
    dims out = detail::open_dims(to.rank, x.type);
    const int lead = to.rank - (x.ranked() ? x.rank : to.rank);
    for (int i = 0; i < to.rank; ++i) {
      const extent want = to.e[i];
      const bool keeps = want.n == -1 && !want.named() && !want.open;
      if (want.n < -1) return reason::size_out_of_range;
      if (!x.ranked()) {
        out.e[i] = want.known() ? want : extent{};
        continue;
      }
      if (i < lead) {  // a new dim needs a given extent
        if (keeps || want.named()) return reason::not_broadcastable;
        out.e[i] = want;
        continue;
      }
      const extent have = x.e[i - lead];
      if (want.named() && have.axis != want.axis && !have.open && (have.known() || have.named()))
        return reason::not_broadcastable;
      if (keeps || want.named()) out.e[i] = have;
      else if (have.is_one()) out.e[i] = want;
      else if (detail::compare_extents(have, want) == detail::tristate::no) return reason::not_broadcastable;
      else out.e[i] = have.known() || have.named() ? have : want;
    }
    return out;
  }
  static constexpr auto expand(const auto& x, const attributes& a) { return broadcast_to(x, rule(dims_of(x), a).out); }
} expand_op;

}  // namespace internal

/// (..., 1, ...) -> (sizes...): expand(x, sizes...) returns a view that repeats dims of extent 1.
/// The op is called expand_op, because ops have a member `expand`.
inline constexpr const auto& expand = internal::expand_op;

}  // namespace koila::inline v0
