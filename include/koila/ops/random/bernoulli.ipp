// SPDX-License-Identifier: MIT
#pragma once
// Definitions of bernoulli.hpp.
#include <koila/ops/common/random_elements.ipp>
#include <koila/ops/random/bernoulli.hpp>

namespace koila::inline v0 {

void bernoulli::draw(at::Tensor& y, const at::Tensor& x, const attributes& a, const detail::portion& where) {
  detail::with_floating_type(y, [&](auto zero) {
    using T = decltype(zero);
    T* to = y.mutable_data_ptr<T>();
    const T* from = detail::data<T>(x);
    detail::draw_each<4>(y, a.call, where, [=](std::int64_t i, const detail::philox_words& bits, int k) {
      const auto probability = static_cast<double>(from[i]);
      TORCH_CHECK(probability >= 0 && probability <= 1, "bernoulli: ", probability, " is no probability");
      to[i] = static_cast<T>(detail::happens(bits, k, probability) ? 1 : 0);
    });
  });
}

}  // namespace koila::inline v0
