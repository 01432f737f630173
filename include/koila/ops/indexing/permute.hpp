// SPDX-License-Identifier: MIT
#pragma once
// permute: reorders the dims.
#include <koila/ops/indexing/slices.hpp>

namespace koila::inline v0 {

/// (a, b, ...) -> (...): x with its dims in the given order, as in permute(x, 0_c, 2_c, 1_c) or
/// permute(x, list_of(0, 2, 1)). Returns a view.
inline constexpr struct permute : author::op<permute, 1> {
  static constexpr std::string_view name = "permute";
  struct attributes {
    static constexpr std::size_t positional = dims::capacity;
    attr_list order;
    constexpr void set(std::size_t, const auto& v) { detail::append(order, v); }
    constexpr void write(auto& w) const {
      w.put(", dims ");
      order.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr bool pushes_gather = true;

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    const attr_list& order = a.order;
    if (x.ranked() && order.n != x.rank) return reason::dims_are_not_all_given;
    dims out = detail::open_dims(order.n, x.type);
    bool taken[dims::capacity] = {};
    for (int i = 0; i < order.n; ++i) {
      if (!order.e[i].known) continue;
      const int k = detail::wrap(order.e[i].value, order.n);
      if (k < 0) return reason::dimension_out_of_range;
      if (taken[k]) return reason::dim_given_twice;
      taken[k] = true;
      if (x.ranked()) out.e[i] = x.e[k];
    }
    return out;
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    relations f;
    f.out = x.batch_relation;
    for (int i = 0; i < out.rank && x.batch_relation.sampled(); ++i)
      if (detail::wrap(a.order.e[i].value, out.rank) == x.batch_relation.axis) f.out.axis = i;
    return f;
  }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool { return kept(x.rank, a) == x.rank; }
  static constexpr auto view_layout(layout operand_layout, const dims& x, const attributes& a) -> layout {
    return kept(x.rank, a) == x.rank - 2 && operand_layout != layout::strided ? layout::matrix
                                                                              : layout::strided;  // like transpose
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes& a) {
    attributes back;
    back.order.n = a.order.n;
    for (int i = 0; i < a.order.n; ++i) back.order.e[detail::wrap(a.order.e[i].value, a.order.n)] = attr<index_t>(i);
    return gradients(detail::call_with<struct permute>(back, dy));
  }

 private:
  /// The number of leading dims that keep their position.
  static constexpr auto kept(int rank, const attributes& a) -> int {
    int i = 0;
    while (i < rank && detail::wrap(a.order.e[i].value, rank) == i) ++i;
    return i;
  }
} permute;

}  // namespace koila::inline v0
