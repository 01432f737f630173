// SPDX-License-Identifier: MIT
#pragma once
// Definitions of randn_like.hpp.
#include <koila/ops/common/random_elements.ipp>
#include <koila/ops/random/randn_like.hpp>

namespace koila::inline v0 {

void randn_like::draw(at::Tensor& y, const at::Tensor&, const attributes& a, const detail::portion& where) {
  detail::with_floating_type(y, [&](auto zero) { detail::draw_normal<decltype(zero)>(y, a.call, where); });
}

}  // namespace koila::inline v0
