// SPDX-License-Identifier: MIT
#pragma once
// argmin: the position of the minimum.
#include <koila/ops/reduction/selection.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> int64 (..., ...): the position of the first minimum along `dim`, or in the
/// flattened x if `dim` is not given. Booleans are not accepted.
inline constexpr struct argmin : detail::selecting<argmin> {
  static constexpr std::string_view name = "argmin";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} argmin;

}  // namespace koila::inline v0
