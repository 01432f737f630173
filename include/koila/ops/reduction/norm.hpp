// SPDX-License-Identifier: MIT
#pragma once
// norm: the p-norm over some or all dims.
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/power.hpp>
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/pointwise/abs.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/pow.hpp>
#include <koila/ops/pointwise/precision.hpp>
#include <koila/ops/pointwise/square.hpp>
#include <koila/ops/reduction/amax.hpp>
#include <koila/ops/reduction/amin.hpp>

#include <limits>

namespace koila::inline v0 {

namespace detail {

/// The attributes of a norm, as in norm(x), norm(x, 1), norm(x, 2, -1_c) or norm(x, p = 3, dim =
/// list_of(0_c, 1_c), keepdim = true).
struct norm_attributes : reduction_attributes {
  static constexpr std::size_t positional = 2;
  attr<double> p = 2.0;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, p, dim); }
  friend constexpr auto operator==(const norm_attributes&, const norm_attributes&) -> bool = default;
};

}  // namespace detail

/// (..., n, ...) -> (..., ...): the norm of order p over the dims `dim`, or over all dims. p is 2
/// by default and may be infinite.
inline constexpr struct norm : author::op<norm, 1> {
  static constexpr std::string_view name = "norm";
  using attributes = detail::norm_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    const bool extreme = a.p.known && (a.p.value < 0 || a.p.value > std::numeric_limits<double>::max());
    return extreme ? rules::reduce_some(x, a, x.type) : rules::reduce(x, a, x.type);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const double order = a.p.value;
    const auto over = [&](const auto& v) { return sum(v, koila::dim = a.dim, koila::keepdim = a.keepdim); };
    // The norm of one element is its absolute value, as in LibTorch. A power of the element might
    // overflow.
    if (order != 0 && rules::reduced_count(dims_of(x), a).is_one()) return over(ops::abs(x));
    if (order == inf) return amax(ops::abs(x), koila::dim = a.dim, koila::keepdim = a.keepdim);
    if (order == -inf) return amin(ops::abs(x), koila::dim = a.dim, koila::keepdim = a.keepdim);
    const auto to = [](dtype type, const auto& v) { return detail::call_with<struct internal::to_dtype>({type}, v); };
    const dtype counts = detail::accumulator_of(dims_of(x).type);
    return detail::widened(x, [&](const auto& v) {
      if (order == 0) return over(to(counts, to(dtype::boolean, v)));
      if (order == 1) return over(ops::abs(v));
      if (order == 2) return internal::power(over(square(v)), koila::internal::exponent = 0.5);
      if (order < 0) {
        // If the order is negative, an element 0 makes the sum infinite and the norm 0. The powers
        // of the elements are computed by `pow`, because `power` returns 0 instead of infinity for
        // an element 0. Zeros are replaced by 1 before `pow`, because the derivative of the power
        // is infinite at 0. Infinity times the incoming gradient 0 would be NaN, but LibTorch's
        // gradient is 0.
        const auto zero = eq(v, 0);
        return ops::pow(over(where(zero, inf, ops::pow(where(zero, 1, ops::abs(v)), order))), 1 / order);
      }
      return internal::power(over(internal::power(ops::abs(v), koila::internal::exponent = order)),
                             koila::internal::exponent = 1 / order);
    });
  }
} norm;

}  // namespace koila::inline v0
