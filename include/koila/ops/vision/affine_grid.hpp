// SPDX-License-Identifier: MIT
#pragma once
// affine_grid: the positions of the pixels of transformed images.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/indexing/select.hpp>
#include <koila/ops/internal/grid_line.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/precision.hpp>

namespace koila::inline v0 {

namespace detail {

/// The sizes of a batch of images: (samples, channels, h, w) or (samples, channels, d, h, w). The
/// number of samples may be an axis.
struct image_sizes : rules::sizes {
  constexpr void assign(const image_sizes& o) { *this = o; }
  constexpr void assign(const attr_list& l) {
    *this = image_sizes();
    for (int i = 0; i < l.n; ++i) put(l.e[i]);
  }
  template <class... V>
    requires requires(rules::sizes& s, const list_of<V...>& l) { s.put(l); }
  constexpr void assign(const list_of<V...>& l) {
    *this = image_sizes();
    put(l);
  }
  constexpr void write(auto& w) const {
    dims d = open_dims(rank);
    for (int i = 0; i < rank; ++i) d.e[i] = e[i];
    w.put(d);
  }
  friend constexpr auto operator==(const image_sizes&, const image_sizes&) -> bool = default;
};

}  // namespace detail

/// (samples, 2, 3) -> (samples, h, w, 2), or (samples, 3, 4) -> (samples, d, h, w, 3): for each
/// pixel of an image of `size` (samples, channels, h, w), the product of the sample's matrix and
/// the pixel's position (x, y, 1), as in affine_grid(theta, list_of(batch, 3_c, 32_c, 32_c)).
/// Positions are between -1 and 1. grid_sample takes the result.
inline constexpr struct affine_grid : author::op<affine_grid, 1> {
  static constexpr std::string_view name = "affine_grid";
  struct attributes {
    static constexpr std::size_t positional = 2;
    detail::image_sizes size;
    attr<bool> align_corners = false;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, size, align_corners); }
    constexpr void write(auto& w) const {
      if (size.rank > 0) w.put(", size "), size.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& theta, const attributes& a) -> verdict {
    const detail::image_sizes& s = a.size;
    if (!rules::may_float(theta.type)) return reason::not_a_floating_type;
    if (theta.ranked() && theta.rank != 3) return reason::no_rule_for_these_ranks;
    if (s.too_many || (s.rank != 4 && s.rank != 5)) return reason::dims_are_not_all_given;
    if (s.negative || s.inferred >= 0) return reason::size_out_of_range;
    for (int i = 0; i < s.rank; ++i) {
      if (i > 1 && s.e[i].named()) return reason::dims_are_not_all_given;  // the extent is unknown
      if (s.e[i].known() && s.e[i].n < 1) return reason::size_out_of_range;
    }
    const int n = s.rank - 2;  // the number of spatial dims
    dims out = detail::open_dims(n + 2, theta.type);
    for (int i = 0; i < n; ++i) out.e[1 + i] = s.e[2 + i];
    out.e[1 + n] = extent{n};
    if (!theta.ranked()) return out;
    if (detail::compare_extents(theta[1], extent{n}) == detail::tristate::no ||
        detail::compare_extents(theta[2], extent{n + 1}) == detail::tristate::no)
      return reason::shapes_differ;
    if (detail::compare_extents(theta[0], s.e[0]) == detail::tristate::no) return reason::batch_dimensions_differ;
    out.e[0] = s.e[0].named() ? theta[0] : detail::either(theta[0], s.e[0]);
    return out;
  }
  static constexpr auto expand(const auto& theta, const attributes& a) {
    const dims d = dims_of(theta), out = rule(d, a).out;
    const int n = out.rank - 2;
    return detail::rounded_once(d.type, [&] {
      const auto matrices = detail::wide_operand(theta);
      const auto column = [&](int i) {  // (samples, 1, ..., n)
        dims to = detail::open_dims(out.rank);
        for (int k = 0; k < to.rank; ++k) to.e[k] = k == 0 ? d[0] : extent{k > n ? n : 1};
        return detail::reshape_to(ops::select(matrices, attr<index_t>(2), attr<index_t>(i)), to);
      };
      auto position = column(n);
      for (int i = 0; i < n; ++i) {  // x lies along the last spatial dim
        const index_t cells = out[n - i].n;
        dims to = detail::open_dims(out.rank);
        for (int k = 0; k < to.rank; ++k) to.e[k] = extent{k == n - i ? cells : 1};
        const auto along = internal::grid_line(matrices, ops::steps = cells, koila::align_corners = a.align_corners);
        position = add(position, mul(column(i), detail::reshape_to(along, to)));
      }
      return position;
    });
  }
} affine_grid;

}  // namespace koila::inline v0
