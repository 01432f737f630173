// SPDX-License-Identifier: MIT
#pragma once
// Definitions of asin.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/asin.hpp>

#include <ATen/ops/asin_ops.h>

namespace koila::inline v0 {

void ops::asin::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::asin_out::call(x, y); }

}  // namespace koila::inline v0
