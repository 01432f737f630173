// SPDX-License-Identifier: MIT
#pragma once
// Definitions of to_dtype.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/to_dtype.hpp>

namespace koila::inline v0::internal {

void to_dtype::evaluate(at::Tensor& y, const at::Tensor& x, const attributes&) { y.copy_(x); }

}  // namespace koila::inline v0::internal
