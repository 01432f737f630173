// SPDX-License-Identifier: MIT
#pragma once
// Functions of C++ numbers for the expansions of ops. They also work in constant expressions.
#include <cmath>
#include <type_traits>

namespace koila::inline v0::detail {

/// The square root of a positive number.
constexpr auto square_root(double x) -> double {
  if (!std::is_constant_evaluated()) return std::sqrt(x);
  double root = x > 1 ? x : 1;
  for (double next = (root + x / root) / 2; next < root; next = (root + x / root) / 2) root = next;
  return root;
}

}  // namespace koila::inline v0::detail
