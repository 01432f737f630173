// SPDX-License-Identifier: MIT
#pragma once
// transpose: swaps two dims.
#include <koila/expr/op.hpp>

#include <limits>

namespace koila::inline v0 {

/// (..., a, ..., b, ...) -> (..., b, ..., a, ...): swaps dim0 and dim1. Returns a view.
inline constexpr struct transpose : author::op<transpose, 1> {
  static constexpr std::string_view name = "transpose";
  struct attributes {
    static constexpr std::size_t positional = 2;
    static constexpr index_t none = std::numeric_limits<index_t>::min();
    attr<index_t> dim0 = none, dim1 = none;
    constexpr void set(std::size_t i, attr<index_t> v) { (i == 0 ? dim0 : dim1) = v; }
    constexpr auto given() const -> bool { return dim0 != attr<index_t>(none) && dim1 != attr<index_t>(none); }
    constexpr void write(auto& w) const {
      if (!given()) return;
      w.put(", dims "), dim0.write(w);
      w.put(" and "), dim1.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr bool pushes_gather = true;

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!a.given()) return reason::no_dim_given;
    if (!x.ranked()) return dims(x.type);
    if (!a.dim0.known || !a.dim1.known) return detail::open_dims(x.rank, x.type);
    const int i = detail::wrap(a.dim0.value, x.rank), j = detail::wrap(a.dim1.value, x.rank);
    if (i < 0 || j < 0) return reason::dimension_out_of_range;
    dims out = x;
    out.e[i] = x.e[j];
    out.e[j] = x.e[i];
    return out;
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    relations f;
    f.out = x.batch_relation;
    const int i = detail::wrap(a.dim0.value, out.rank), j = detail::wrap(a.dim1.value, out.rank);
    if (x.batch_relation.sampled() && (x.batch_relation.axis == i || x.batch_relation.axis == j))
      f.out.axis = x.batch_relation.axis == i ? j : i;
    return f;
  }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool {
    return detail::wrap(a.dim0.value, x.rank) == detail::wrap(a.dim1.value, x.rank);
  }
  static constexpr auto view_layout(layout operand_layout, const dims& x, const attributes& a) -> layout {
    const bool last_two = detail::wrap(a.dim0.value, x.rank) + detail::wrap(a.dim1.value, x.rank) == 2 * x.rank - 3;
    return last_two && operand_layout != layout::strided ? layout::matrix : layout::strided;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes& a) {
    return gradients(transpose{}(dy, koila::dim0 = a.dim0, koila::dim1 = a.dim1));
  }
} transpose;

}  // namespace koila::inline v0
