// SPDX-License-Identifier: MIT
#pragma once
// Definitions of index.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/index.hpp>

#include <ATen/ops/nonzero_ops.h>

namespace koila::inline v0::detail {

auto places_of(const at::Tensor& index, attr_list& mask) -> at::Tensor {
  if (!index.defined() || index.scalar_type() != at::kBool || index.dim() == 0 || index.dim() > dims::capacity)
    return index;
  for (const std::int64_t n : index.sizes()) mask.e[mask.n++] = attr<index_t>(n);
  return at::_ops::nonzero::call(index.reshape({-1})).reshape({-1});
}

}  // namespace koila::inline v0::detail
