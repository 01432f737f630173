// SPDX-License-Identifier: MIT
#pragma once
// Definitions of triu.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/linalg/triu.hpp>

#include <ATen/ops/triu_ops.h>

namespace koila::inline v0 {

void triu::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::triu_out::call(x, a.diagonal.value, y);
}

}  // namespace koila::inline v0
