// SPDX-License-Identifier: MIT
#pragma once
// Definitions of reshape.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/reshape.hpp>

namespace koila::inline v0 {

void reshape::view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes&) {
  y = x.view(detail::sizes(to));
}
void reshape_like::view(at::Tensor& y, const at::Tensor& x, const dims& to, const detail::no_attributes&) {
  y = x.view(detail::sizes(to));
}

}  // namespace koila::inline v0
