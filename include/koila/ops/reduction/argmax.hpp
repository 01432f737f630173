// SPDX-License-Identifier: MIT
#pragma once
// argmax: the position of the maximum.
#include <koila/ops/reduction/selection.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> int64 (..., ...): the position of the first maximum along `dim`, or in the
/// flattened x if `dim` is not given. Booleans are not accepted.
inline constexpr struct argmax : detail::selecting<argmax> {
  static constexpr std::string_view name = "argmax";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} argmax;

}  // namespace koila::inline v0
