// SPDX-License-Identifier: MIT
#pragma once
// Shared by pad and its backward op: how much padding each dim gets, and with which values.
#include <koila/ops/indexing/index_remap.hpp>

namespace koila::inline v0 {

namespace detail {

/// `padding` has the numbers of elements before and after the last dim, before and after the
/// second-last dim, and so on. Negative numbers cut elements off. `mode` is kConstant (the
/// elements are `fill_value`, 0 by default), kReflect (the border is not repeated), kReplicate or
/// kCircular.
struct pad_attributes {
  static constexpr std::size_t positional = 3;
  attr_list padding;
  attr<choice> mode = choice::constant;
  attr<double> fill_value = 0.0;
  template <class V>
  constexpr void set(std::size_t i, const V& v) {
    if constexpr (detail::is_choice<V>) detail::assign_member(mode, v);
    else detail::assign_at(i, v, padding, mode, fill_value);
  }
  constexpr void write(auto& w) const {
    if (padding.empty()) return;
    w.put(" by ");
    padding.write(w);
  }

  /// The padding before (after = 0) or after (after = 1) dim d of `rank` dims.
  constexpr auto amount(int d, int rank, int after) const -> attr<index_t> {
    const int k = 2 * (rank - 1 - d) + after;
    return k < padding.n ? padding.e[k] : attr<index_t>(0);
  }
  constexpr auto pads(int d, int rank) const -> bool {
    return amount(d, rank, 0).value != 0 || amount(d, rank, 1).value != 0;
  }
  /// Returns how many of a dim's n elements are left after negative padding has cut elements off.
  /// kCircular repeats only these elements.
  static constexpr auto left(index_t n, index_t before, index_t after) -> index_t {
    return n + (before < 0 ? before : 0) + (after < 0 ? after : 0);
  }
  /// The position along dim d of x from which position i of the result is copied, or -1 if position
  /// i is filled with `fill_value`. n is the extent of dim d of x.
  constexpr auto source(int d, int rank, index_t i, index_t n) const -> index_t {
    const index_t before = amount(d, rank, 0).value, k = i - before;
    if (k >= 0 && k < n) return k;
    switch (mode.value) {
      case choice::reflect: return k < 0 ? -k : 2 * (n - 1) - k;
      case choice::replicate: return k < 0 ? 0 : n - 1;
      case choice::circular: {
        const index_t round = left(n, before, amount(d, rank, 1).value);
        return k < 0 ? k + round : k - round;
      }
      default: return -1;
    }
  }
  friend constexpr auto operator==(const pad_attributes&, const pad_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

constexpr auto padded(const dims& x, const detail::pad_attributes& a) -> verdict {
  const choice mode = a.mode.value;
  if (mode != choice::constant && mode != choice::reflect && mode != choice::replicate && mode != choice::circular)
    return reason::not_an_expected_choice;
  if (a.padding.empty()) return reason::no_padding_given;
  if (a.padding.n % 2 != 0) return reason::size_out_of_range;
  for (int i = 0; i < a.padding.n; ++i)
    if (a.padding.e[i].known &&
        (a.padding.e[i].value > detail::most_elements || a.padding.e[i].value < -detail::most_elements))
      return reason::size_out_of_range;
  if (mode == choice::constant && !holds(x.type, a.fill_value)) return reason::number_out_of_range;
  if (!x.ranked()) return dims(x.type);
  if (a.padding.n > 2 * x.rank) return reason::dimension_out_of_range;
  dims out = x;
  for (int d = 0; d < x.rank; ++d) {
    const attr<index_t> before = a.amount(d, x.rank, 0), after = a.amount(d, x.rank, 1);
    if (before == attr<index_t>(0) && after == before) continue;
    if (!before.known || !after.known || !x.e[d].known()) {
      out.e[d] = {};
      continue;
    }
    const index_t n = x.e[d].n, most = before.value > after.value ? before.value : after.value;
    if (mode == choice::reflect && most >= n) return reason::size_out_of_range;
    if (mode == choice::replicate && most > 0 && n == 0) return reason::size_out_of_range;
    if (mode == choice::circular && most > detail::pad_attributes::left(n, before.value, after.value))
      return reason::size_out_of_range;
    if (n + before.value + after.value < 0) return reason::size_out_of_range;
    out.e[d] = part_extent(x.e[d], n + before.value + after.value);
  }
  return out;
}

}  // namespace rules
}  // namespace koila::inline v0
