// SPDX-License-Identifier: MIT
#pragma once
// Definitions of nan_to_num.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/nan_to_num.hpp>

#include <ATen/ops/nan_to_num_ops.h>

namespace koila::inline v0 {

void nan_to_num::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  const auto given = [](double v) {
    return v == attributes::largest || v == -attributes::largest ? std::nullopt : std::optional(v);
  };
  at::_ops::nan_to_num_out::call(x, a.nan.value, given(a.posinf.value), given(a.neginf.value), y);
}

}  // namespace koila::inline v0
