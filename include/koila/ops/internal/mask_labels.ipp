// SPDX-License-Identifier: MIT
#pragma once
// Definitions of mask_labels.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/mask_labels.hpp>

namespace koila::inline v0::internal {

void mask_labels::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& label, const attributes& a) {
  y.copy_(x).masked_fill_(label.eq(a.ignore_index.value), 0);
}

}  // namespace koila::inline v0::internal
