// SPDX-License-Identifier: MIT
#pragma once
// moments: mean and variance in one pass.
#include <koila/ops/indexing/select.hpp>
#include <koila/ops/internal/centred_affine.hpp>
#include <koila/ops/internal/inverse_count.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) -> (2, ..., 1, ...): the means over the dims `dim`, or over all dims, followed by
/// the variances (divisor n, not n - 1). The reduced dims are kept with extent 1. If the batch axis
/// is reduced, the means and variances of the whole batch are computed in one pass over its chunks.
/// Normalisations expand to this op.
inline constexpr struct moments : op<moments, 1> {
  static constexpr std::string_view name = "moments";
  struct attributes : detail::reduction_attributes {
    constexpr attributes() { keepdim = true; }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    if (x.rank >= dims::capacity) return reason::too_many_dimensions;
    const verdict v = rules::reduce(x, kept(a), x.type);
    if (!v.accepted() || !v.out.ranked()) return v;
    dims out = detail::open_dims(v.out.rank + 1, x.type);
    out.e[0] = extent{2};
    for (int d = 0; d < v.out.rank; ++d) out.e[d + 1] = v.out.e[d];
    return out;
  }
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    relations f = flows::reduced(x, a.bits(x.dims.rank), true, monoid::moments);
    if (f.out.sampled()) ++f.out.axis;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {4.0 * static_cast<double>(x.count()), static_cast<double>(2 * x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& x, const attributes& a) {
    const auto part = [](const auto& v, index_t k) { return ops::select(v, attr<index_t>(0), attr<index_t>(k)); };
    const auto n = inverse_count(x, koila::dim = a.dim);
    return gradients(centred_affine(x, part(y, 0), mul(mul(part(dy, 1), n), 2), mul(part(dy, 0), n)));
  }

 private:
  static constexpr auto kept(attributes a) -> detail::reduction_attributes {
    a.keepdim = true;
    return a;
  }
} moments;

}  // namespace koila::inline v0::internal
