// SPDX-License-Identifier: MIT
#pragma once
// Definitions of detach.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/detach.hpp>

namespace koila::inline v0 {

void detach::view(at::Tensor& y, const at::Tensor& x, const dims&, const detail::no_attributes&) { y = x.alias(); }

}  // namespace koila::inline v0
