// SPDX-License-Identifier: MIT
#pragma once
// interpolate: resizes the spatial dims.
#include <koila/ops/internal/avg_pool.hpp>
#include <koila/ops/internal/upsample.hpp>

namespace koila::inline v0 {

/// (samples, channels, in...) -> (samples, channels, out...): resizes the spatial dims to `size`,
/// or by `scale_factor`, as in interpolate(x, scale_factor = 2_c, mode = kBilinear). The modes are
/// kNearest and kArea for 1 to 3 spatial dims, kLinear for 1, kBilinear and kBicubic for 2, and
/// kTrilinear for 3.
inline constexpr struct interpolate : author::op<interpolate, 1> {
  static constexpr std::string_view name = "interpolate";
  using attributes = detail::interpolate_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::interpolated(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) {
    if (a.mode.value != choice::area) return internal::upsample(x, koila::detail::interpolation = a);
    detail::pool_of pool;
    const dims out = rule(dims_of(x), a).out;
    pool.n = pool.output_size.n = out.rank - 2;
    for (int i = 0; i < pool.n; ++i) pool.output_size.e[i] = out[i + 2].n;
    return internal::avg_pool(x, detail::pooling = pool);
  }
} interpolate;

}  // namespace koila::inline v0
