// SPDX-License-Identifier: MIT
#pragma once
// Definitions of count_labels.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/count_labels.hpp>

namespace koila::inline v0::internal {

void count_labels::evaluate(at::Tensor& y, const at::Tensor& label, const at::Tensor&, const attributes& a) {
  y.copy_(label.ne(a.ignore_index.value).sum());
}

}  // namespace koila::inline v0::internal
