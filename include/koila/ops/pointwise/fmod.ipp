// SPDX-License-Identifier: MIT
#pragma once
// Definitions of fmod.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/fmod.hpp>

#include <ATen/ops/fmod_ops.h>

namespace koila::inline v0 {

void ops::fmod::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::fmod_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
