// SPDX-License-Identifier: MIT
#pragma once
// all: whether all elements are nonzero.
#include <koila/ops/reduction/truth.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> bool (..., ...): true if all elements along the dims `dim`, or all elements of
/// x, are nonzero.
inline constexpr struct all : detail::reducing_truth<all, author::monoid::min> {
  static constexpr std::string_view name = "all";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} all;

}  // namespace koila::inline v0
