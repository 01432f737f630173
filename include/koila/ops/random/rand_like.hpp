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
