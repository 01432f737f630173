// SPDX-License-Identifier: MIT
#pragma once
// movedim: moves dims to other positions; the other dims keep their order.
#include <koila/ops/indexing/permute.hpp>

namespace koila::inline v0 {

/// (...) -> (...): moves the dims `source` to the positions `destination`, as in movedim(x, 0_c,
/// -1_c) or movedim(x, list_of(0, 1), list_of(1, 2)). Returns a view.
inline constexpr struct movedim : author::op<movedim, 1> {
  static constexpr std::string_view name = "movedim";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr_list source, destination;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, source, destination); }
    constexpr void write(auto& w) const {
      w.put(", dims "), source.write(w);
      w.put(" to "), destination.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.source.n != a.destination.n || a.source.empty()) return reason::dims_are_not_all_given;
    if (!x.ranked()) return x;
    if (!a.source.known() || !a.destination.known()) return detail::open_dims(x.rank, x.type);
    bool from[dims::capacity] = {}, to[dims::capacity] = {};
    for (int i = 0; i < a.source.n; ++i) {
      const int s = detail::wrap(a.source.e[i].value, x.rank), d = detail::wrap(a.destination.e[i].value, x.rank);
      if (s < 0 || d < 0) return reason::dimension_out_of_range;
      if (from[s] || to[d]) return reason::dim_given_twice;
      from[s] = to[d] = true;
    }
    return permute::rule(x, order(x.rank, a));
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::call_with<struct permute>(order(dims_of(x).rank, a), x);
  }

 private:
  static constexpr auto order(int rank, const attributes& a) -> detail::attributes_t<struct permute> {
    detail::attributes_t<struct permute> out;
    out.order.n = rank;
    bool moved[dims::capacity] = {}, filled[dims::capacity] = {};
    for (int i = 0; i < a.source.n; ++i) {
      const int s = detail::wrap(a.source.e[i].value, rank), d = detail::wrap(a.destination.e[i].value, rank);
      moved[s] = filled[d] = true;
      out.order.e[d] = attr<index_t>(s);
    }
    for (int i = 0, s = 0; i < rank; ++i) {
      if (filled[i]) continue;
      while (moved[s]) ++s;
      out.order.e[i] = attr<index_t>(s++);
    }
    return out;
  }
} movedim;

}  // namespace koila::inline v0
