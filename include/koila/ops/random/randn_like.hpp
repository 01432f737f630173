// SPDX-License-Identifier: MIT
#pragma once
// randn_like: standard normal random numbers.
#include <koila/ops/random/random_base.hpp>

namespace koila::inline v0 {

/// (...) -> (...): random numbers from the standard normal distribution, with the dims and dtype of
/// x. The elements of x are not read.
inline constexpr struct randn_like : detail::drawing_like<randn_like> {
  static constexpr std::string_view name = "randn_like";
  static void draw(at::Tensor& y, const at::Tensor& x, const attributes& a, const detail::portion& where);
} randn_like;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/random_elements.ipp>

namespace koila::inline v0 {

inline void randn_like::draw(at::Tensor& y, const at::Tensor&, const attributes& a, const detail::portion& where) {
  detail::with_floating_type(y, [&](auto zero) { detail::draw_normal<decltype(zero)>(y, a.call, where); });
}

}  // namespace koila::inline v0
#endif
