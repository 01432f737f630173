// SPDX-License-Identifier: MIT
#pragma once
// native_layer_norm_parameters_backward: the gradients of native_layer_norm's weight and bias.
#include <koila/ops/normalization/layer_norm_base.hpp>

namespace koila::inline v0::internal {

/// (..., shape...) x (..., shape...) x (shape...) -> (2, shape...): with n = x normalised to mean
/// 0 and variance 1, the sum of dy * n over all rows, followed by the sum of dy. Only the dims of
/// the weight are read.
inline constexpr struct native_layer_norm_parameters_backward : op<native_layer_norm_parameters_backward, 3> {
  static constexpr std::string_view name = "native_layer_norm_parameters_backward";
  using attributes = detail::layer_norm_attributes;
  static constexpr unsigned shape_only = 0b100;
  static constexpr auto rule(const dims& dy, const dims& x, const dims& w, const attributes&) -> verdict {
    if (rules::same_shape(dy, x) == detail::tristate::no) return reason::shapes_differ;
    if (!rules::same_type(dy, x) || !rules::same_type(dy, w)) return reason::dtypes_differ;
    const verdict v = rules::normalised(rules::merged(x, dy), w, {});
    if (!v.accepted() || !w.ranked()) return v.accepted() ? verdict(dims(v.out.type)) : v;
    if (w.rank == dims::capacity) return reason::too_many_dimensions;
    dims out = detail::open_dims(w.rank + 1, v.out.type);
    out.e[0] = extent{2};
    for (int d = 0; d < w.rank; ++d) out.e[d + 1] = w.e[d];
    return out;
  }
  static constexpr auto flow(const value& dy, const value& x, const value& w, const dims& out, const attributes&)
      -> relations {
    const value in[] = {dy, x, w};
    relations f = flows::normalised(in, 3, x.dims, w.dims.rank);
    if (f.resliced) return flows::gather(in, 3, out);
    if (f.out.sampled()) f.out = partial(monoid::sum);
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  /// The workspace holds float64 sums for each group of rows that is summed separately.
  static constexpr auto cost(const dims& dy, const dims& x, const dims& w, const dims& out) -> op_cost {
    const index_t parts = rules::parts_of_rows(w.count() == 0 ? 0 : x.count() / w.count());
    return {8.0 * static_cast<double>(x.count()), static_cast<double>(dy.bytes() + x.bytes() + out.bytes()),
            parts * 2 * w.count() * detail::bytes_of(dtype::float64), true};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& w,
                       const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const auto& w,
                                 const attributes& a) {
    const detail::row_normalisation n(x, dims_of(w).rank, a.eps.value);
    const auto part = [&](index_t k) { return ops::select(d, attr<index_t>(0), attr<index_t>(k)); };
    return gradients(add(mul(n.y, part(0)), part(1)), n.pull(mul(dy, part(0))), no_gradient);
  }
} native_layer_norm_parameters_backward;

}  // namespace koila::inline v0::internal
