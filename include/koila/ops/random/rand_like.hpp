// SPDX-License-Identifier: MIT
#pragma once
// rand_like: uniform random numbers.
#include <koila/ops/random/random_base.hpp>

namespace koila::inline v0 {

/// (...) -> (...): random numbers, uniform in [0, 1), with the dims and dtype of x. The elements of
/// x are not read.
inline constexpr struct rand_like : detail::drawing_like<rand_like> {
  static constexpr std::string_view name = "rand_like";
  static void draw(at::Tensor& y, const at::Tensor& x, const attributes& a, const detail::portion& where);
} rand_like;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/random_elements.ipp>

namespace koila::inline v0 {

inline void rand_like::draw(at::Tensor& y, const at::Tensor&, const attributes& a, const detail::portion& where) {
  detail::with_floating_type(y, [&](auto zero) {
    using T = decltype(zero);
    T* to = y.mutable_data_ptr<T>();
    detail::draw_each<detail::numbers_in_bits<T>>(
        y, a.call, where,
        [=](std::int64_t i, const detail::philox_words& bits, int k) { to[i] = detail::uniform<T>(bits, k); });
  });
}

}  // namespace koila::inline v0
#endif
