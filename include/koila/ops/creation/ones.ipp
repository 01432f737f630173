// SPDX-License-Identifier: MIT
#pragma once
// Definitions of ones.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/creation/ones.hpp>

namespace koila::inline v0 {

void ones::evaluate(at::Tensor& y, const attributes&) { y.fill_(1); }

}  // namespace koila::inline v0
