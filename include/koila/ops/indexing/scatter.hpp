// SPDX-License-Identifier: MIT
#pragma once
// scatter: writes elements along a dim at given indices.
#include <koila/ops/indexing/gather.hpp>
#include <koila/ops/indexing/scattering.hpp>

namespace koila::inline v0 {

/// (..., n, ...) x int64 (..., m, ...) x (..., m, ...) -> (..., n, ...): scatter(x, dim, index,
/// src) is x with the elements of src written at the indices along dim. src may be a number. If
/// several elements of src have the same position, the last element is written.
inline constexpr struct scatter : detail::scattering<scatter> {
  static constexpr std::string_view name = "scatter";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const at::Tensor& src,
                       const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const auto& index, const auto&,
                                 const attributes& a) {
    return gradients(scatter{}(dy, index, 0, koila::dim = a.dim), no_gradient,
                     koila::gather(dy, index, koila::dim = a.dim));
  }
} scatter;

}  // namespace koila::inline v0
