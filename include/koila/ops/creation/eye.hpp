// SPDX-License-Identifier: MIT
#pragma once
// eye: the identity matrix.
#include <koila/ops/creation/constants.hpp>

namespace koila::inline v0 {

/// () -> (n, m): eye(n) and eye(n, m) have ones on the diagonal and zeros elsewhere, in float32.
inline constexpr struct eye : detail::constant_op<eye> {
  static constexpr std::string_view name = "eye";
  struct attributes : detail::size_attributes {
    static constexpr std::size_t positional = 2;
  };
  static constexpr auto rule(const attributes& a) -> verdict {
    if (a.sizes.n < 1 || a.sizes.n > 2) return reason::no_rule_for_these_ranks;
    const verdict v = rules::sized(a.sizes);
    return v.accepted() ? verdict(dims({v.out.e[0], v.out.e[a.sizes.n - 1]}, v.out.type)) : v;
  }
  static void evaluate(at::Tensor& y, const attributes& a);
} eye;

}  // namespace koila::inline v0
