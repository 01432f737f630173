// SPDX-License-Identifier: MIT
#pragma once
// Definitions of update.hpp.
#include <koila/optim/update.hpp>
#include <koila/run/elementwise_update.ipp>

#include <ATen/ops/zeros_like_ops.h>

namespace koila::detail {

/// Zeros for the state of a parameter.
inline auto kept_for(const at::Tensor& parameter) -> at::Tensor {
  return at::_ops::zeros_like::call(parameter, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

}  // namespace koila::detail
