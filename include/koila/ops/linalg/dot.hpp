// SPDX-License-Identifier: MIT
#pragma once
// dot: the inner product of two vectors.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/linalg/mm.hpp>

namespace koila::inline v0 {

/// (n) x (n) -> (): the inner product. dot expands to mm, because mm adds the sums of the chunks
/// without a temporary.
inline constexpr struct dot : author::op<dot> {
  static constexpr std::string_view name = "dot";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if ((a.ranked() && a.rank != 1) || (b.ranked() && b.rank != 1)) return reason::no_rule_for_these_ranks;
    const verdict product = mm.rule(a.ranked() ? as(a, 0) : dims(a.type), b.ranked() ? as(b, 1) : dims(b.type));
    return product.accepted() ? verdict(scalar(product.out.type)) : product;
  }
  static constexpr auto expand(const auto& a, const auto& b) {
    return detail::reshape_to(mm(detail::reshape_to(a, as(dims_of(a), 0)), detail::reshape_to(b, as(dims_of(b), 1))),
                              scalar());
  }

 private:
  /// Returns the dims of vector v as a row (one = 0) or as a column (one = 1). Dim `one` gets
  /// extent 1.
  static constexpr auto as(const dims& v, int one) -> dims {
    return one == 0 ? dims({extent{1}, v[0]}, v.type) : dims({v[0], extent{1}}, v.type);
  }
} dot;

}  // namespace koila::inline v0
