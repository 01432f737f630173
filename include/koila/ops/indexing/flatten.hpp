// SPDX-License-Identifier: MIT
#pragma once
// flatten: merges neighbouring dims.
#include <koila/ops/indexing/reshape.hpp>

namespace koila::inline v0 {

/// (..., a, b, c, ...) -> (..., a * b * c, ...): merges the dims from start_dim to end_dim, by
/// default all dims. Returns a view if x is contiguous, else a copy.
inline constexpr struct flatten : author::op<flatten, 1> {
  static constexpr std::string_view name = "flatten";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr<index_t> start_dim = 0, end_dim = -1;
    constexpr void set(std::size_t i, attr<index_t> v) { (i == 0 ? start_dim : end_dim) = v; }
    constexpr void write(auto& w) const {
      w.put(", dims "), start_dim.write(w);
      w.put(" to "), end_dim.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!x.ranked() || !a.start_dim.known || !a.end_dim.known) return dims(x.type);
    const int rank = x.rank == 0 ? 1 : x.rank;  // a scalar has a dim 0, as in LibTorch
    const int first = detail::wrap(a.start_dim.value, rank), last = detail::wrap(a.end_dim.value, rank);
    if (first < 0 || last < first) return reason::dimension_out_of_range;
    if (x.rank == 0) return dims({extent{1}}, x.type);
    dims out = x;
    out.rank = x.rank - (last - first);
    if (last > first) out.e[first] = merged(x, first, last);
    for (int i = last + 1; i < x.rank; ++i) out.e[i - last + first] = x.e[i];
    return out;
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::reshape_to(x, rule(dims_of(x), a).out);
  }

 private:
  static constexpr auto merged(const dims& x, int first, int last) -> extent {
    extent out{1};
    for (int i = first; i <= last; ++i) {
      if (!x.e[i].known()) return {-1, {}, true};
      out.open = out.open || x.e[i].open || x.e[i].named();
      out.n *= x.e[i].n;
    }
    return out;
  }
} flatten;

}  // namespace koila::inline v0
