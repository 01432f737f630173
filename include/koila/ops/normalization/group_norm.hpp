// SPDX-License-Identifier: MIT
#pragma once
// group_norm: normalises groups of each sample's channels to mean 0 and variance 1.
#include <koila/ops/normalization/normalisation.hpp>

namespace koila::inline v0 {

/// (n, c, ...) x (c) x (c) -> (n, c, ...): (x - mean) / sqrt(variance + eps) * w + b, with the mean
/// and variance of each group of channels of each sample. Weight and bias may both be left out.
inline constexpr struct group_norm : author::op<group_norm, 3> {
  static constexpr bool numbers_are_attributes = true;
  static constexpr std::string_view name = "group_norm";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<index_t> num_groups = 0;
    attr<double> eps = 1e-5;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, num_groups); }
    constexpr void write(auto& w) const { w.put(", num_groups "), num_groups.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return grouped(rules::channelled(x), a); }
  static constexpr auto rule(const dims& x, const dims& w, const dims& b, const attributes& a) -> verdict {
    return grouped(rules::channelled(x, w, b), a);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::widened(x, [&](const auto& v) { return standardised(v, dims_of(x), a); });
  }
  static constexpr auto expand(const auto& x, const auto& w, const auto& b, const attributes& a) {
    const dims d = dims_of(x);
    return detail::widened(x, [&](const auto& v) { return detail::affine(standardised(v, d, a), w, b, d.rank); });
  }

 private:
  /// (n, c, ...) -> (n, groups, c / groups, ...).
  static constexpr auto split_into_groups(const dims& d, index_t count) -> dims {
    dims out = detail::open_dims(d.rank + 1);
    out.e[0] = d[0];
    out.e[1] = extent{count};
    out.e[2] = extent{d[1].n / count, {}, true};
    for (int i = 2; i < d.rank; ++i) out.e[i + 1] = d[i];
    return out;
  }
  template <class X>
  static constexpr auto standardised(const X& v, const dims& d, const attributes& a) -> X {
    const dims by_group = split_into_groups(d, a.num_groups.value);
    const X grouped = detail::reshape_to(v, by_group);
    return detail::reshape_to(
        detail::standardised(grouped, by_group, detail::dims_between(2, by_group.rank), a.eps.value), d);
  }
  static constexpr auto grouped(const verdict& v, const attributes& a) -> verdict {
    if (!v.accepted()) return v;
    if (v.out.rank >= dims::capacity) return reason::too_many_dimensions;
    if (!a.num_groups.known) return v;
    if (a.num_groups.value < 1) return reason::size_out_of_range;
    if (v.out.ranked() && v.out[1].known() && v.out[1].n % a.num_groups.value != 0)
      return reason::channels_are_not_divisible_by_groups;
    // 0 channels are divisible by any number of groups, so the dims after the split may be too
    // large.
    if (v.out.known() && !detail::countable(split_into_groups(v.out, a.num_groups.value)))
      return reason::size_out_of_range;
    return v;
  }
} group_norm;

}  // namespace koila::inline v0
