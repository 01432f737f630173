// SPDX-License-Identifier: MIT
#pragma once
// scatter_add: adds elements along a dim at given indices.
#include <koila/ops/indexing/gather.hpp>
#include <koila/ops/indexing/scattering.hpp>

namespace koila::inline v0 {

/// (..., n, ...) x int64 (..., m, ...) x (..., m, ...) -> (..., n, ...): scatter_add(x, dim, index,
/// src) is x with the elements of src added, in order, at the indices along dim.
inline constexpr struct scatter_add : detail::scattering<scatter_add> {
  static constexpr std::string_view name = "scatter_add";
  static constexpr auto cost(const dims& x, const dims& index, const dims& src, const dims& out) -> op_cost {
    return detail::with_float32_sums(scattering::cost(x, index, src, out), out);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const at::Tensor& src,
                       const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const auto& index, const auto&,
                                 const attributes& a) {
    return gradients(dy, no_gradient, koila::gather(dy, index, koila::dim = a.dim));
  }
} scatter_add;

}  // namespace koila::inline v0
