// SPDX-License-Identifier: MIT
#pragma once
// Definitions of zeros.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/creation/zeros.hpp>

namespace koila::inline v0 {

void zeros::evaluate(at::Tensor& y, const attributes&) { y.fill_(0); }

}  // namespace koila::inline v0
