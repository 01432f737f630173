// SPDX-License-Identifier: MIT
#pragma once
// Definitions of update.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/optim/update.hpp>

#include <ATen/ops/zeros_like_ops.h>

namespace koila::inline v0::detail {

/// Returns zeros with the dims, dtype and device of a parameter, for its state.
inline auto kept_for(const at::Tensor& parameter) -> at::Tensor {
  return at::_ops::zeros_like::call(parameter, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}
/// Returns `t` if `needed`, else an undefined tensor.
inline auto if_needed(const at::Tensor& t, bool needed) -> const at::Tensor& {
  static const at::Tensor none;
  return needed ? t : none;
}

}  // namespace koila::inline v0::detail
