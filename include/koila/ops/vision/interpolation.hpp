// SPDX-License-Identifier: MIT
#pragma once
// The attributes and the rule of interpolation.
#include <koila/ops/pooling/pooling.hpp>

namespace koila::inline v0 {

namespace detail {

/// One factor for all spatial dims, or one factor for each.
struct scale_factors {
  attr<double> e[windows::capacity]{};
  int n = 0;

  constexpr void assign(const scale_factors& o) { *this = o; }
  template <class... V>
    requires(sizeof...(V) <= windows::capacity)
  constexpr void assign(const list_of<V...>& l) {
    n = 0;
    std::apply([&](auto... v) { ((e[n++] = detail::as_attr<double>(v)), ...); }, l.values);
  }
  template <class V>
    requires requires(V v) { detail::as_attr<double>(v); }
  constexpr void assign(V v) {
    n = 1;
    e[0] = detail::as_attr<double>(v);
  }
  constexpr auto operator[](int i) const -> attr<double> { return e[n == 1 ? 0 : i]; }
  friend constexpr auto operator==(const scale_factors& a, const scale_factors& b) -> bool {
    return a.n == b.n && detail::same_first(a.n, a.e, b.e);
  }
};

/// The attributes of interpolate, namely size or scale_factor, mode, and align_corners.
struct interpolate_attributes {
  static constexpr std::size_t positional = 4;
  attr_list size;
  koila::detail::scale_factors scale_factor;
  attr<choice> mode = choice::nearest;
  attr<bool> align_corners = false;

  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, size, scale_factor, mode, align_corners); }
  constexpr void assign(const interpolate_attributes& o) { *this = o; }
  constexpr void assign(attr<index_t>) { mode.known = false; }  // at compile time, when values are not known
  constexpr void write(auto& w) const { detail::write_unless(w, "size", size, attr_list()); }
  friend constexpr auto operator==(const interpolate_attributes&, const interpolate_attributes&) -> bool = default;
};

struct interpolation_attributes {
  interpolate_attributes interpolation;
  constexpr void write(auto& w) const { interpolation.write(w); }
  friend constexpr auto operator==(const interpolation_attributes&, const interpolation_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// (samples, channels, in...) -> (samples, channels, out...): one to three spatial dims, as the
/// mode requires.
constexpr auto interpolated(const dims& x, const detail::interpolate_attributes& a) -> verdict {
  if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
  if (!a.mode.known) return x.ranked() ? detail::open_dims(x.rank, x.type) : x;
  if (!a.size.empty() && a.scale_factor.n > 0) return reason::dim_given_twice;
  if (a.size.empty() && a.scale_factor.n == 0) return reason::dims_are_not_all_given;
  int least = 3, most = 5;
  switch (a.mode.value) {
    case choice::nearest:
    case choice::area:
      if (a.align_corners.known && a.align_corners.value) return reason::not_an_expected_choice;
      break;
    case choice::linear: most = 3; break;
    case choice::bilinear:
    case choice::bicubic: least = most = 4; break;
    case choice::trilinear: least = 5; break;
    default: return reason::not_an_expected_choice;
  }
  if (!x.ranked()) return x;
  if (x.rank < least || x.rank > most) return reason::no_rule_for_these_ranks;
  const int n = x.rank - 2;
  if (!a.size.empty()) {
    if (const reason r = spatial(a.size, n, 1); r != reason::accepted) return r;
  } else if (a.scale_factor.n != 1 && a.scale_factor.n != n) {
    return reason::dims_are_not_all_given;
  }
  dims out = x;
  for (int i = 0; i < n; ++i) {
    extent& e = out[i - n];
    if (e.known() && e.n == 0) return reason::size_out_of_range;
    if (!a.size.empty()) {
      e = a.size[i].known ? extent{a.size[i].value} : extent{-1, {}, true};
      continue;
    }
    const attr<double> f = a.scale_factor[i];
    if (f.known && f.value == 1) continue;
    const bool sure = e.known() && f.known;
    const double scaled = sure ? static_cast<double>(e.n) * f.value : 1;
    if (!(scaled >= 1 && scaled <= static_cast<double>(most_of_window))) return reason::size_out_of_range;
    const index_t m = sure ? static_cast<index_t>(scaled) : -1;
    e = {m, {}, !sure || e.open || e.named()};
  }
  return out;
}

}  // namespace rules
}  // namespace koila::inline v0
