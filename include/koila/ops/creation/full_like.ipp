// SPDX-License-Identifier: MIT
#pragma once
// Definitions of full_like.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/creation/full_like.hpp>

namespace koila::inline v0 {

void full_like::evaluate(at::Tensor& y, const at::Tensor&, const attributes& a) { y.fill_(a.fill_value.value); }

}  // namespace koila::inline v0
