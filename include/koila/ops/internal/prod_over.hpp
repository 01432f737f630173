// SPDX-License-Identifier: MIT
#pragma once
// prod_over: the product over one dim or all dims.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/internal/prod_others.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/reduction/selection.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) -> (..., ...): the product over dim `dim`, or over all dims. Integers become
/// int64.
inline constexpr struct prod_over : op<prod_over, 1> {
  static constexpr std::string_view name = "prod_over";
  using attributes = detail::selection_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::reduce(x, a.reduction(), x.type == dtype::unknown || is_floating(x.type) ? x.type : dtype::int64);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    return flows::reduced(x, a.reduction().bits(x.dims.rank), a.keepdim.value, monoid::prod);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()),
            detail::converted(x, out.type)};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    const auto back = expand_like(dy, x, koila::dim = a.reduction().dim, koila::keepdim = a.keepdim);
    return gradients(mul(back, prod_others(x, koila::dim = a.dim)));
  }
} prod_over;

}  // namespace koila::inline v0::internal
