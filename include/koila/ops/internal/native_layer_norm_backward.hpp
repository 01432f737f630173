// SPDX-License-Identifier: MIT
#pragma once
// native_layer_norm_backward: the gradient of native_layer_norm's input.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/normalization/layer_norm_base.hpp>

namespace koila::inline v0::internal {

/// (..., shape...) x (..., shape...) x (shape...) -> (..., shape...): (g - mean(g) - y * mean(g *
/// y)) / sqrt(variance + eps), where g = dy * w, and y is x normalised to mean 0 and variance 1.
inline constexpr struct native_layer_norm_backward : op<native_layer_norm_backward, 3> {
  static constexpr std::string_view name = "native_layer_norm_backward";
  using attributes = detail::layer_norm_attributes;
  static constexpr auto rule(const dims& dy, const dims& x, const dims& w, const attributes&) -> verdict {
    if (rules::same_shape(dy, x) == detail::tristate::no) return reason::shapes_differ;
    if (!rules::same_type(dy, x) || !rules::same_type(dy, w)) return reason::dtypes_differ;
    return rules::normalised(rules::merged(x, dy), w, {});
  }
  static constexpr auto flow(const value& dy, const value& x, const value& w, const dims& out, const attributes&)
      -> relations {
    const value in[] = {dy, x, w};
    return flows::normalised(in, 3, out, w.dims.rank);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims& x, const dims& w, const dims& out) -> op_cost {
    return {14.0 * static_cast<double>(x.count()),
            static_cast<double>(dy.bytes() + x.bytes() + w.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& w,
                       const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const auto& w,
                                 const attributes& a) {
    const detail::row_normalisation n(x, dims_of(w).rank, a.eps.value);
    const auto g = mul(dy, w), to_g = n.pull(d);
    const auto to_y = sub(0.0, add(mul(d, n.mean(mul(g, n.y))), mul(g, n.mean(mul(d, n.y)))));
    return gradients(mul(to_g, w), sub(n.pull(mul(n.scale, to_y)), mul(n.scale, mul(n.y, n.mean(mul(d, n.pull(g)))))),
                     sum_to(mul(to_g, dy), w));
  }
} native_layer_norm_backward;

}  // namespace koila::inline v0::internal
