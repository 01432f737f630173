// SPDX-License-Identifier: MIT
#pragma once
// unsqueeze: adds a dim of extent 1.
#include <koila/ops/indexing/slices.hpp>

namespace koila::inline v0 {

struct squeeze;

/// (..., ...) -> (..., 1, ...): adds a dim of extent 1 at position `dim` of the result. Returns a
/// view.
inline constexpr struct unsqueeze : author::op<unsqueeze, 1> {
  static constexpr std::string_view name = "unsqueeze";
  using attributes = detail::dim_attribute;
  static constexpr bool pushes_gather = true;

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!x.ranked()) return dims(x.type);
    if (x.rank == dims::capacity) return reason::too_many_dimensions;
    if (!a.dim.known) return detail::open_dims(x.rank + 1, x.type);
    const int d = detail::wrap(a.dim.value, x.rank + 1);
    if (d < 0) return reason::dimension_out_of_range;
    dims out = x.with(x.type);
    for (int i = out.rank++; i > d; --i) out.e[i] = x.e[i - 1];
    out.e[d] = extent{1};
    return out;
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    relations f;
    f.out = x.batch_relation;
    if (x.batch_relation.sampled() && detail::wrap(a.dim.value, out.rank) <= x.batch_relation.axis) ++f.out.axis;
    return f;
  }
  static constexpr auto concat_dim(const dims& out, const attributes& a) -> int {
    return detail::wrap(a.dim.value, out.rank);
  }
  static constexpr auto view_layout(layout operand_layout, const dims& x, const attributes& a) -> layout {
    if (operand_layout == layout::matrix)
      return x.rank == 2 && detail::wrap(a.dim.value, 3) == 0 ? layout::matrix : layout::strided;
    return operand_layout;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call<struct squeeze>(dy, a.dim));
  }
} unsqueeze;

}  // namespace koila::inline v0

#include <koila/ops/indexing/squeeze.hpp>
