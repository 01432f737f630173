// SPDX-License-Identifier: MIT
#pragma once
// Definitions of tril.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/linalg/tril.hpp>

#include <ATen/ops/tril_ops.h>

namespace koila::inline v0 {

void tril::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::tril_out::call(x, a.diagonal.value, y);
}

}  // namespace koila::inline v0
