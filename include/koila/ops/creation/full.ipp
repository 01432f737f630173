// SPDX-License-Identifier: MIT
#pragma once
// Definitions of full.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/creation/full.hpp>

namespace koila::inline v0 {

void full::evaluate(at::Tensor& y, const attributes& a) {
  if (a.fill_value.type == dtype::int64) y.fill_(a.fill_value.whole.value);
  else y.fill_(a.fill_value.number.value);
}

}  // namespace koila::inline v0
