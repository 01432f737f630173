// SPDX-License-Identifier: MIT
#pragma once
// Definitions of linspace.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/creation/linspace.hpp>

#include <ATen/ops/linspace_ops.h>

namespace koila::inline v0 {

void linspace::evaluate(at::Tensor& y, const attributes& a) {
  at::_ops::linspace_out::call(a.start.value, a.end.value, a.steps.value, y);
}

}  // namespace koila::inline v0
