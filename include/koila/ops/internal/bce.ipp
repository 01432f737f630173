// SPDX-License-Identifier: MIT
#pragma once
// Definitions of bce.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/bce.hpp>

#include <ATen/ops/binary_cross_entropy_ops.h>

namespace koila::inline v0::internal {

void bce::evaluate(at::Tensor& loss, const at::Tensor& x, const at::Tensor& y) {
  constexpr std::int64_t no_reduction = 0;  // at::Reduction::None
  at::_ops::binary_cross_entropy_out::call(x, y, {}, no_reduction, loss);
}

}  // namespace koila::inline v0::internal
