#pragma once
// adaptive_max_pool3d: the maxima of output_size windows that cover all, over three dims.
#include <koila/ops/max_pool_at.hpp>

namespace koila {

/// (samples, channels, d, h, w) -> (samples, channels, d', h', w'), or without samples: the maxima
/// of output_size windows that cover all.
inline constexpr struct adaptive_max_pool3d : pool_op<adaptive_max_pool3d, 3, struct max_pool_at, adaptive_attributes> {
  static constexpr std::string_view name = "adaptive_max_pool3d";
} adaptive_max_pool3d;

}  // namespace koila
