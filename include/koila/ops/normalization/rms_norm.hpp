// SPDX-License-Identifier: MIT
#pragma once
// rms_norm: divides by the root mean square.
#include <koila/ops/normalization/normalisation.hpp>

namespace koila::inline v0 {

/// (..., shape...) x (shape...) -> (..., shape...): x / sqrt(mean(x^2) + eps) * w. The mean is
/// computed over the last dims, which are the dims of the weight. Without a weight,
/// normalized_shape = list_of(...) states the extents of these dims. By default eps is the machine
/// epsilon of float64 for float64, and of float32 for all other dtypes, because 16-bit values are
/// computed in float32.
inline constexpr struct rms_norm : author::op<rms_norm, 2> {
  static constexpr std::string_view name = "rms_norm";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr_list normalized_shape;
    attr<double> eps = -1;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, normalized_shape); }
    constexpr void write(auto& w) const {
      if (!normalized_shape.empty()) w.put(", normalized_shape "), normalized_shape.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.normalized_shape.empty()) return reason::no_dim_given;
    return rules::normalised(x, a.normalized_shape);
  }
  static constexpr auto rule(const dims& x, const dims& w, const attributes& a) -> verdict {
    return rules::normalised(x, w, a.normalized_shape);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::widened(x, [&](const auto& v) { return scaled(v, dims_of(x), a.normalized_shape.n, a); });
  }
  static constexpr auto expand(const auto& x, const auto& w, const attributes& a) {
    return detail::widened(x, [&]<class X>(const X& v) -> X {
      return mul(scaled(v, dims_of(x), dims_of(w).rank, a), detail::wide_operand(w));
    });
  }

 private:
  static constexpr auto scaled(const auto& v, const dims& d, int n, const attributes& a) {
    const double spacing = d.type == dtype::float64 ? 0x1p-52 : 0x1p-23;
    return detail::scaled_to_one(v, d, detail::dims_between(d.rank - n, d.rank),
                                 a.eps.value < 0 ? spacing : a.eps.value);
  }
} rms_norm;

}  // namespace koila::inline v0
