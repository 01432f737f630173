// SPDX-License-Identifier: MIT
#pragma once
// squeeze: removes dims of extent 1.
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0 {

/// (..., 1, ...) -> (..., ...): x without the dim `dim` if the extent of this dim is 1. Without
/// `dim`, the op removes all dims of extent 1. Named axes are kept even if their extent is 1: a
/// batch of one sample is still a batch. Returns a view.
inline constexpr struct squeeze : author::op<squeeze, 1> {
  static constexpr std::string_view name = "squeeze";
  struct attributes {
    static constexpr std::size_t positional = 1;
    detail::dim_or_all dim;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim); }
    constexpr void write(auto& w) const {
      if (!dim.all()) w.put(", dim "), dim.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr bool pushes_gather = true;

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!x.ranked() || !a.dim.known) return dims(x.type);
    if (!a.dim.all() && detail::wrap(a.dim.value, x.rank == 0 ? 1 : x.rank) < 0) return reason::dimension_out_of_range;
    dims out = x;
    out.rank = 0;
    for (int i = 0; i < x.rank; ++i) {
      if (goes(x, i, a)) continue;
      if (asked(x, i, a) && !x.e[i].known() && !x.e[i].named()) return dims(x.type);
      out.e[out.rank++] = x.e[i];
    }
    return out;
  }
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    relations f;
    f.out = x.batch_relation;
    if (!x.batch_relation.sampled()) return f;
    for (int i = 0; i < x.batch_relation.axis; ++i) f.out.axis -= goes(x.dims, i, a) ? 1 : 0;
    if (goes(x.dims, x.batch_relation.axis, a)) f.out = {}, f.operand[0].kind = need::whole;
    return f;
  }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool {
    for (int i = 0; i < x.rank; ++i)
      if (goes(x, i, a)) return false;
    return true;
  }
  static constexpr auto view_layout(layout operand_layout, const dims&, const attributes&) -> layout {
    return operand_layout == layout::dense ? operand_layout : layout::strided;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    auto dx = dy;
    const dims d = dims_of(x);
    for (int i = 0; i < d.rank; ++i)
      if (goes(d, i, a)) dx = unsqueeze(dx, attr<index_t>(i));
    return gradients(dx);
  }

 private:
  static constexpr auto asked(const dims& x, int i, const attributes& a) -> bool {
    return a.dim.all() || detail::wrap(a.dim.value, x.rank) == i;
  }
  static constexpr auto goes(const dims& x, int i, const attributes& a) -> bool {
    return asked(x, i, a) && x.e[i].is_one();
  }
} squeeze;

}  // namespace koila::inline v0
