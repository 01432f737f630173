// SPDX-License-Identifier: MIT
#pragma once
// mv: the product of a matrix and a vector.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/linalg/mm.hpp>

namespace koila::inline v0 {

/// (m, k) x (k) -> (m): the product of a matrix and a vector.
inline constexpr struct mv : author::op<mv> {
  static constexpr std::string_view name = "mv";
  static constexpr auto rule(const dims& a, const dims& v) -> verdict {
    if ((a.ranked() && a.rank != 2) || (v.ranked() && v.rank != 1)) return reason::no_rule_for_these_ranks;
    const verdict product = mm.rule(a, v.ranked() ? column(v) : dims(v.type));
    return product.accepted() ? verdict(rules::drop(product.out, 1, false)) : product;
  }
  static constexpr auto expand(const auto& a, const auto& v) {
    return detail::reshape_to(mm(a, detail::reshape_to(v, column(dims_of(v)))), rule(dims_of(a), dims_of(v)).out);
  }

 private:
  static constexpr auto column(const dims& v) -> dims { return dims({v[0], extent{1}}, v.type); }
} mv;

}  // namespace koila::inline v0
