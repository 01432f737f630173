// SPDX-License-Identifier: MIT
#pragma once
// sum: the sum over some or all dims.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., ...): the sum over the dims `dim`, or over all dims. Integers become
/// int64.
inline constexpr struct sum : detail::reducing<sum, author::monoid::sum> {
  static constexpr std::string_view name = "sum";
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::reduce(x, a, x.type == dtype::unknown || is_floating(x.type) ? x.type : dtype::int64);
  }
  static constexpr auto sums(const dims& x, const dims&, const attributes& a) -> unsigned { return a.bits(x.rank); }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(expand_like(dy, x, koila::dim = a.dim, koila::keepdim = a.keepdim));
  }
} sum;

}  // namespace koila::inline v0
