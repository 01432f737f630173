// SPDX-License-Identifier: MIT
#pragma once
// one_hot: class indices as one-hot rows.
#include <koila/ops/indexing/indexing.hpp>

namespace koila::inline v0 {

/// int64 (...) -> int64 (..., num_classes): one_hot(x, 10_c) is 1 at the class index of each
/// element, else 0. The number of classes is not inferred from the values, because the shape must
/// be known when the graph is built.
inline constexpr struct one_hot : author::op<one_hot, 1> {
  static constexpr std::string_view name = "one_hot";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<index_t> num_classes = -1;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, num_classes); }
    constexpr void write(auto& w) const { w.put(", classes "), num_classes.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.type != dtype::unknown && x.type != dtype::int64) return reason::index_is_not_integers;
    if (a.num_classes.known && a.num_classes.value < 1) return reason::size_out_of_range;
    if (!x.ranked()) return dims(dtype::int64);
    if (x.rank == dims::capacity) return reason::too_many_dimensions;
    dims out = x.with(dtype::int64);
    out.e[out.rank++] = a.num_classes.known ? extent{a.num_classes.value} : extent{};
    return out;
  }
  static constexpr auto flow(const value& x, const dims&, const attributes&) -> relations {
    relations f;
    f.out = x.batch_relation;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {0, static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} one_hot;

}  // namespace koila::inline v0
