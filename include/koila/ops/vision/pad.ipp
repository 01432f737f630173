// SPDX-License-Identifier: MIT
#pragma once
// Definitions of pad.hpp.
#include <koila/ops/common/padding_operators.ipp>
#include <koila/ops/vision/pad.hpp>

namespace koila::inline v0 {

void pad::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) { detail::pad_by_operators(y, x, a); }

}  // namespace koila::inline v0
