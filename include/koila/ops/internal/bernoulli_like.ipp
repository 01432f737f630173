// SPDX-License-Identifier: MIT
#pragma once
// Definitions of bernoulli_like.hpp.
#include <koila/ops/common/random_elements.ipp>
#include <koila/ops/internal/bernoulli_like.hpp>

namespace koila::inline v0::internal {

void bernoulli_like::draw(at::Tensor& y, const at::Tensor&, const attributes& a, const detail::portion& where) {
  detail::with_floating_type(y, [&](auto zero) {
    using T = decltype(zero);
    detail::draw_kept(y, a.call, where, a.p.value, detail::rounded<T>(a.kept.value));
  });
}

}  // namespace koila::inline v0::internal
