// SPDX-License-Identifier: MIT
#pragma once
// std_mean: the standard deviation and the mean over some or all dims.
#include <koila/ops/reduction/stddev.hpp>
#include <koila/ops/reduction/var_mean.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., n, ...) -> (..., ...): the standard deviation over the dims `dim`, or over all dims, as in
/// std.
inline constexpr struct std_mean_deviation : detail::moment_over<std_mean_deviation, struct stddev> {
  static constexpr std::string_view name = "std_mean";
} std_mean_deviation;

/// (..., n, ...) -> (..., ...): the mean over the dims `dim`, or over all dims, as in mean.
/// `correction` has no effect on the mean.
inline constexpr struct std_mean_mean : detail::moment_over<std_mean_mean, struct mean> {
  static constexpr std::string_view name = "std_mean";
} std_mean_mean;

}  // namespace internal

/// (..., n, ...) -> (..., ...), twice: auto [deviation, average] = std_mean(x, 1_c, correction = 0)
/// has the results of std and mean, with the attributes of std.
inline constexpr detail::values_beside_indices<struct internal::std_mean_deviation, struct internal::std_mean_mean>
    std_mean{};

}  // namespace koila::inline v0
