// SPDX-License-Identifier: MIT
#pragma once
// layer_norm: normalises the last dims to mean 0 and variance 1.
#include <koila/ops/internal/native_layer_norm.hpp>

namespace koila::inline v0 {

/// (..., shape...) x (shape...) x (shape...) -> (..., shape...): (x - mean) / sqrt(variance + eps)
/// * w + b. Mean and variance are computed over the last dims, which are the dims of the weight.
/// The bias may be left out. If the weight is left out as well, normalized_shape = list_of(...)
/// states the extents of these dims.
inline constexpr struct layer_norm : author::op<layer_norm, 3> {
  static constexpr bool numbers_are_attributes = true;
  static constexpr std::string_view name = "layer_norm";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr_list normalized_shape;
    attr<double> eps = 1e-5;
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
  static constexpr auto rule(const dims& x, const dims& w, const dims& b, const attributes& a) -> verdict {
    if (rules::same_shape(w, b) == detail::tristate::no) return reason::shapes_differ;
    if (w.type != dtype::unknown && b.type != dtype::unknown && w.type != b.type) return reason::dtypes_differ;
    return rules::normalised(x, rules::merged(w, b), a.normalized_shape);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::widened(x, [&](const auto& v) { return standardised(v, dims_of(x), a.normalized_shape.n, a); });
  }
  static constexpr auto expand(const auto& x, const auto& w, const attributes& a) {
    return detail::widened(x, [&]<class X>(const X& v) -> X {
      return mul(standardised(v, dims_of(x), dims_of(w).rank, a), detail::wide_operand(w));
    });
  }
  static constexpr auto expand(const auto& x, const auto& w, const auto& b, const attributes& a) {
    return internal::native_layer_norm(x, w, b, koila::eps = a.eps);
  }

 private:
  /// Normalises v over its last n dims.
  static constexpr auto standardised(const auto& v, const dims& d, int n, const attributes& a) {
    return detail::standardised(v, d, detail::dims_between(d.rank - n, d.rank), a.eps.value);
  }
} layer_norm;

}  // namespace koila::inline v0
