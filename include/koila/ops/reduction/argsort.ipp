// SPDX-License-Identifier: MIT
#pragma once
// Definitions of argsort.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/reduction/argsort.hpp>

namespace koila::inline v0 {

void argsort::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  y.copy_(x.argsort(true, a.dim.value, a.descending.value));
}

}  // namespace koila::inline v0
