// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hardshrink.hpp.
#include <koila/ops/activation/hardshrink.hpp>
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/hardshrink_ops.h>

namespace koila::inline v0 {

void hardshrink::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::hardshrink_out::call(x, a.lambd.value, y);
}

}  // namespace koila::inline v0
