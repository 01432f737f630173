// SPDX-License-Identifier: MIT
#pragma once
// isfinite: whether x is finite.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/isnan.hpp>
#include <koila/ops/pointwise/logical_not.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> bool (...): whether x is not infinite and not NaN. The op tests x * 0, which is 0 for a
/// finite x and NaN for any other x.
inline constexpr struct isfinite : unary_predicate<isfinite> {
  static constexpr std::string_view name = "isfinite";
  static constexpr auto expand(const auto& x) { return logical_not(ops::isnan(mul(x, 0))); }
} isfinite;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's isfinite"
KOILA_UNARY_FUNCTION(isfinite)
