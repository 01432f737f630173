// SPDX-License-Identifier: MIT
#pragma once
// Definitions of split.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/split.hpp>

namespace koila::inline v0::internal {

void split_part::view(at::Tensor& y, const at::Tensor& x, const dims&, const attributes& a) {
  y = x.narrow(a.dim.value, a.start(0), a.length(0));
}

}  // namespace koila::inline v0::internal
