// SPDX-License-Identifier: MIT
#pragma once
// ones_like: ones with the dims of a value.
#include <koila/ops/creation/constants.hpp>

namespace koila::inline v0 {

/// (...) -> (...): ones with the dims and dtype of x. The elements of x are not read.
inline constexpr struct ones_like : detail::filled_like<ones_like> {
  static constexpr std::string_view name = "ones_like";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
} ones_like;

}  // namespace koila::inline v0
