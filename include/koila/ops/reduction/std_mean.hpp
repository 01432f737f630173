// SPDX-License-Identifier: MIT
#pragma once
// std_mean: the standard deviation and the mean over some or all dims.
#include <koila/ops/reduction/stddev.hpp>
#include <koila/ops/reduction/values_and_indices.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., n, ...) -> (..., ...): the standard deviation over the dims `dim`, or over all dims, as in
/// std.
inline constexpr struct std_mean_deviation : op<std_mean_deviation, 1> {
  static constexpr std::string_view name = "std_mean";
  using attributes = variance_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::variance(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) { return detail::call_with<struct stddev>(a, x); }
} std_mean_deviation;

/// (..., n, ...) -> (..., ...): the mean over the dims `dim`, or over all dims, as in mean.
/// `correction` has no effect on the mean.
inline constexpr struct std_mean_mean : op<std_mean_mean, 1> {
  static constexpr std::string_view name = "std_mean";
  using attributes = variance_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::variance(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) { return detail::call_with<struct mean>(a, x); }
} std_mean_mean;

}  // namespace internal

/// auto [deviation, average] = std_mean(x, 1_c, correction = 0): the results of std and mean, with
/// the attributes of std.
inline constexpr detail::values_beside_indices<struct internal::std_mean_deviation, struct internal::std_mean_mean>
    std_mean{};

}  // namespace koila::inline v0
