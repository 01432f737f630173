// SPDX-License-Identifier: MIT
#pragma once
// isclose: whether two values are equal within a tolerance.
#include <koila/ops/pointwise/abs.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/le.hpp>
#include <koila/ops/pointwise/logical_and.hpp>
#include <koila/ops/pointwise/logical_or.hpp>
#include <koila/ops/pointwise/lt.hpp>
#include <koila/ops/pointwise/ne.hpp>
#include <koila/ops/pointwise/sub.hpp>

#include <limits>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a == b, or |a - b| <= atol + rtol * |b|. Both operands
/// must have the same dtype.
inline constexpr struct isclose : author::binary<isclose, 2> {
  static constexpr std::string_view name = "isclose";
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr<double> rtol = 1e-5, atol = 1e-8;
    attr<bool> equal_nan = false;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, rtol, atol, equal_nan); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& a, const dims& b, const attributes& attrs) -> verdict {
    if ((attrs.rtol.known && !(attrs.rtol.value >= 0)) || (attrs.atol.known && !(attrs.atol.value >= 0)))
      return reason::size_out_of_range;
    if (!a.number && !b.number && a.type != b.type && a.type != dtype::unknown && b.type != dtype::unknown)
      return reason::dtypes_differ;
    return rules::broadcast(a, b, dtype::boolean);
  }
  static constexpr auto expand(const auto& a, const auto& b, const attributes& settings) {
    auto close = eq(a, b);
    const bool floating = is_floating(result_type(dims_of(a), dims_of(b)));
    if (settings.equal_nan.value && floating) close = logical_or(close, logical_and(ne(a, a), ne(b, b)));
    if (settings.rtol.value == 0 && settings.atol.value == 0) return close;
    // As in LibTorch, the difference of integers is computed in floating point, because the
    // difference may be negative.
    const auto x = floating ? a : mul(a, 1.0), y = floating ? b : mul(b, 1.0);
    const auto error = ops::abs(sub(x, y)), allowed = add(ops::abs(mul(y, settings.rtol.value)), settings.atol.value);
    const auto finite = lt(error, std::numeric_limits<double>::infinity());
    return logical_or(close, logical_and(finite, le(error, allowed)));
  }
} isclose;

}  // namespace koila::inline v0
