// SPDX-License-Identifier: MIT
#pragma once
// Definitions of broadcast_to.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/broadcast_to.hpp>

namespace koila::inline v0::internal {

void broadcast_to_op::view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes&) {
  y = x.expand(detail::sizes(to));
}

}  // namespace koila::inline v0::internal
