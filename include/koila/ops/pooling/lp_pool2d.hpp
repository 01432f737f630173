// SPDX-License-Identifier: MIT
#pragma once
// lp_pool2d: the p-norm of each window, over two dims.
#include <koila/ops/pooling/lp_pool_base.hpp>

namespace koila::inline v0 {

/// (samples, channels, h, w) -> (samples, channels, h', w'), or without samples: (sum of x^p)^(1 /
/// p) of each window, where p is norm_type. As in LibTorch, the powers keep their signs, so the
/// result is a norm only for positive x or an even p. With ceil_mode, a window that reaches over
/// the edge is scaled to a whole window. Integers become float32.
inline constexpr struct lp_pool2d : detail::lp_pool<lp_pool2d, 2> {
  static constexpr std::string_view name = "lp_pool2d";
} lp_pool2d;

}  // namespace koila::inline v0
