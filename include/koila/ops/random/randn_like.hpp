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
