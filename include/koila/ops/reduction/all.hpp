// SPDX-License-Identifier: MIT
#pragma once
// all: whether all elements are nonzero.
#include <koila/ops/reduction/truth.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> bool (..., ...): true if all elements along the dims `dim`, or all elements of
/// x, are nonzero.
inline constexpr struct all : detail::reducing_truth<all, monoid::min> {
  static constexpr std::string_view name = "all";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} all;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/reduction_operators.ipp>

#include <ATen/ops/all_ops.h>

namespace koila::inline v0 {

inline void all::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::all_dims_out::call(x, detail::reduced_dims(a, x).given(), a.keepdim.value, y);
}

}  // namespace koila::inline v0
#endif
