// SPDX-License-Identifier: MIT
#pragma once
// zeros_like: zeros with the dims of a value.
#include <koila/ops/creation/constants.hpp>

namespace koila::inline v0 {

/// (...) -> (...): zeros with the dims and dtype of x. The elements of x are not read.
inline constexpr struct zeros_like : detail::filled_like<zeros_like> {
  static constexpr std::string_view name = "zeros_like";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
} zeros_like;

}  // namespace koila::inline v0
