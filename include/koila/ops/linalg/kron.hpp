// SPDX-License-Identifier: MIT
#pragma once
// kron: the Kronecker product.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

/// (n, m) x (k, l) -> (n * k, m * l): each element of a times all of b, for values of any rank. The
/// value of lower rank gets dims of extent 1 in front. If a dim has more than one element in both
/// values, it counts as two of the at most 8 dims.
inline constexpr struct kron : author::op<kron> {
  static constexpr std::string_view name = "kron";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (a.number || b.number) return reason::no_rule_for_these_dtypes;
    const dtype type = a.type == dtype::unknown || b.type == dtype::unknown ? dtype::unknown : promote(a.type, b.type);
    if (!a.ranked() || !b.ranked()) return dims(type);
    dims out = detail::open_dims(a.rank > b.rank ? a.rank : b.rank, type);
    int needed = 0;
    for (int i = -1; i >= -out.rank; --i) {
      const extent x = extent_of(a, i), y = extent_of(b, i);
      needed += stays_one(x, y) ? 1 : 2;
      if (x.is_one() || y.is_one()) out[i] = x.is_one() ? y : x;
      else if (x.known() && y.known()) {
        const index_t n = rules::times(x.n, y.n);
        if (n < 0) return reason::size_out_of_range;
        out[i] = {n, {}, x.open || y.open || x.named() || y.named()};
      }
    }
    return needed > dims::capacity ? verdict(reason::too_many_dimensions) : verdict(out);
  }
  static constexpr auto expand(const auto& a, const auto& b) {
    const dims x = dims_of(a), y = dims_of(b), out = rule(x, y).out;
    dims left = scalar(x.type), right = scalar(y.type);
    for (int i = -out.rank; i < 0; ++i) {
      const extent n = extent_of(x, i), m = extent_of(y, i);
      const bool one = stays_one(n, m);
      left.e[left.rank++] = n;
      if (!one) {
        left.e[left.rank++] = extent{1};
        right.e[right.rank++] = extent{1};
      }
      right.e[right.rank++] = m;
    }
    return detail::reshape_to(mul(detail::reshape_to(a, left), detail::reshape_to(b, right)), out);
  }

 private:
  /// Returns the extent of dim i, counted from the end. If d has too few dims, returns 1.
  static constexpr auto extent_of(const dims& d, int i) -> extent { return -i > d.rank ? extent{1} : d[i]; }
  /// Returns true if one dim is enough, because one of the two extents is 1. Returns true, too, if
  /// an extent is not known yet.
  static constexpr auto stays_one(const extent& x, const extent& y) -> bool {
    return x.is_one() || y.is_one() || !x.known() || !y.known();
  }
} kron;

}  // namespace koila::inline v0
