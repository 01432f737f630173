// SPDX-License-Identifier: MIT
#pragma once
// var_mean: the variance and the mean over some or all dims.
#include <koila/ops/reduction/values_and_indices.hpp>
#include <koila/ops/reduction/var.hpp>

namespace koila::inline v0 {

namespace detail {

/// One of the results of var_mean and std_mean: that of `Kernel`, an op such as var or mean.
template <class Op, class Kernel>
struct moment_over : op<Op, 1> {
  using attributes = internal::variance_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::variance(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) { return call_with<Kernel>(a, x); }
};

}  // namespace detail

namespace internal {

/// (..., n, ...) -> (..., ...): the variance over the dims `dim`, or over all dims, as in var.
inline constexpr struct var_mean_variance : detail::moment_over<var_mean_variance, struct var> {
  static constexpr std::string_view name = "var_mean";
} var_mean_variance;

/// (..., n, ...) -> (..., ...): the mean over the dims `dim`, or over all dims, as in mean.
/// `correction` has no effect on the mean.
inline constexpr struct var_mean_mean : detail::moment_over<var_mean_mean, struct mean> {
  static constexpr std::string_view name = "var_mean";
} var_mean_mean;

}  // namespace internal

/// (..., n, ...) -> (..., ...), twice: auto [variance, average] = var_mean(x, 1_c, correction = 0)
/// has the results of var and mean, with the attributes of var.
inline constexpr detail::values_beside_indices<struct internal::var_mean_variance, struct internal::var_mean_mean>
    var_mean{};

}  // namespace koila::inline v0
