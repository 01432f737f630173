// SPDX-License-Identifier: MIT
#pragma once
// native_layer_norm: layer_norm with a weight and a bias, in one pass.
#include <koila/ops/indexing/select.hpp>
#include <koila/ops/internal/native_layer_norm_backward.hpp>
#include <koila/ops/internal/native_layer_norm_parameters_backward.hpp>

namespace koila::inline v0::internal {

/// (..., shape...) x (shape...) x (shape...) -> (..., shape...): (x - mean) / sqrt(variance +
/// eps) * w + b. The mean and the variance are over the last dims, which are the dims of the weight
/// w. No statistics are stored; the gradients recompute them.
inline constexpr struct native_layer_norm : op<native_layer_norm, 3> {
  static constexpr std::string_view name = "native_layer_norm";
  using attributes = detail::layer_norm_attributes;
  static constexpr auto rule(const dims& x, const dims& w, const dims& b, const attributes&) -> verdict {
    if (rules::same_shape(w, b) == detail::tristate::no) return reason::shapes_differ;
    if (w.type != dtype::unknown && b.type != dtype::unknown && w.type != b.type) return reason::dtypes_differ;
    return rules::normalised(x, rules::merged(w, b), {});
  }
  static constexpr auto flow(const value& x, const value& w, const value& b, const dims& out, const attributes&)
      -> relations {
    const value in[] = {x, w, b};
    return flows::normalised(in, 3, out, w.dims.rank);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& w, const dims& b, const dims& out) -> op_cost {
    return {7.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + w.bytes() + b.bytes() + out.bytes()),
            0};
  }
  static auto elements() -> detail::all_elements;
  static constexpr auto row_length(const dims&, const dims& w, const dims&, const attributes&) -> index_t {
    return w.count();
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                       const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w, const auto&,
                                 const attributes& a) {
    const auto both = native_layer_norm_parameters_backward(dy, x, w, koila::eps = a.eps);
    const auto part = [&](index_t k) { return ops::select(both, attr<index_t>(0), attr<index_t>(k)); };
    return gradients(native_layer_norm_backward(dy, x, w, koila::eps = a.eps), part(0), part(1));
  }
} native_layer_norm;

}  // namespace koila::inline v0::internal
