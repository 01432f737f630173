// SPDX-License-Identifier: MIT
#pragma once
// Definitions of rand_like.hpp.
#include <koila/ops/common/random_elements.ipp>
#include <koila/ops/random/rand_like.hpp>

namespace koila::inline v0 {

void rand_like::draw(at::Tensor& y, const at::Tensor&, const attributes& a, const detail::portion& where) {
  detail::with_floating_type(y, [&](auto zero) {
    using T = decltype(zero);
    T* to = y.mutable_data_ptr<T>();
    detail::draw_each<detail::numbers_in_bits<T>>(
        y, a.call, where,
        [=](std::int64_t i, const detail::philox_words& bits, int k) { to[i] = detail::uniform<T>(bits, k); });
  });
}

}  // namespace koila::inline v0
