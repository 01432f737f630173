// SPDX-License-Identifier: MIT
#pragma once
// diagonal: a diagonal of each matrix.
#include <koila/ops/internal/diagonal_backward.hpp>

namespace koila::inline v0 {

/// (..., n, ..., m, ...) -> (..., k): diagonal(x, offset, dim1, dim2) returns a diagonal of each
/// matrix. The rows of the matrices lie along dim1 (0 by default), and the columns along dim2 (1 by
/// default). The diagonal is the last dim of the result. A positive offset is above the main
/// diagonal. Returns a view. `diagonal` is also the name of an attribute of tril and triu.
inline constexpr struct diagonal : author::op<diagonal, 1>, detail::attribute_name<diagonal> {
  using detail::attribute_name<diagonal>::operator=;
  static constexpr auto member(auto& a) -> decltype((a.diagonal)) { return a.diagonal; }

  static constexpr std::string_view name = "diagonal";
  using attributes = detail::diagonal_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::diagonal_of(x, a); }
  /// If the samples lie along dim1 or dim2, the op needs all of x at once.
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    const batch_relation& r = x.batch_relation;
    if (r.sampled() && a.lies_in(r.axis, x.dims.rank)) return flows::gather(&x, 1, out);
    relations f;
    f.out = r;
    if (r.sampled()) f.out.axis = a.left_of(r.axis, x.dims.rank);
    return f;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::call_with<struct internal::diagonal_backward>(a, dy, x));
  }
} diagonal;

}  // namespace koila::inline v0
