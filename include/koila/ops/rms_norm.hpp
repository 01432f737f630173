#pragma once
// rms_norm: each sample to mean square 1.
#include <koila/ops/family/normalisation.hpp>

namespace koila {

/// (..., shape...) x (shape...) -> (..., shape...): x / sqrt(mean(x^2) + eps) w over the last dims, which are the weight's, or without
/// one and with normalized_shape = list(...). Without eps it is the spacing of the dtype's numbers at 1.
inline constexpr struct rms_norm : op<rms_norm, 2> {
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
    if (a.normalized_shape.empty()) return why::no_dim_given;
    return rules::normalised(x, a.normalized_shape);
  }
  static constexpr auto rule(const dims& x, const dims& w, const attributes& a) -> verdict {
    return rules::normalised(x, w, a.normalized_shape);
  }
  static constexpr auto expand(const auto& x, const attributes& a) { return scaled(x, a.normalized_shape.n, a); }
  static constexpr auto expand(const auto& x, const auto& w, const attributes& a) {
    return mul(scaled(x, dims_of(w).rank, a), w);
  }

 private:
  static constexpr auto spacing(dtype t) -> double {
    return t == dtype::float64 ? 0x1p-52 : t == dtype::float32 ? 0x1p-23 : t == dtype::float16 ? 0x1p-10 : 0x1p-7;
  }
  static constexpr auto scaled(const auto& x, int n, const attributes& a) {
    const dims d = dims_of(x);
    return detail::scaled_to_one(x, detail::dims_between(d.rank - n, d.rank), a.eps.value < 0 ? spacing(d.type) : a.eps.value);
  }
} rms_norm;

}  // namespace koila
