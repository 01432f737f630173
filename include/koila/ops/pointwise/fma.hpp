// SPDX-License-Identifier: MIT
#pragma once
// fma: fused multiply-add.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/addcmul.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) x (...) -> (...), broadcast: a * b + c.
inline constexpr struct fma : ternary<fma> {
  static constexpr std::string_view name = "fma";
  static constexpr auto rule(const dims& a, const dims& b, const dims& c) -> verdict {
    return addcmul.rule(c, a, b, {});
  }
  static constexpr auto expand(const auto& a, const auto& b, const auto& c) { return addcmul(c, a, b); }
} fma;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's fma"
KOILA_TERNARY_FUNCTION(fma)
