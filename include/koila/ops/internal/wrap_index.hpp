// SPDX-License-Identifier: MIT
#pragma once
// wrap_index: converts negative indices, which count from the end, to non-negative ones.
#include <koila/ops/indexing/indexing.hpp>

namespace koila::inline v0::internal {

/// int64 (...) -> int64 (...): wrap_index(i, n) is i where 0 <= i < n, and i + n where -n <= i < 0.
/// Throws c10::IndexError for any other index.
inline constexpr struct wrap_index : op<wrap_index, 1> {
  static constexpr std::string_view name = "wrap_index";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<index_t> n = 1;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, n); }
    constexpr void write(auto& w) const { w.put(" into "), n.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!rules::indexes(x)) return reason::index_is_not_integers;
    if (a.n.known && a.n.value < 0) return reason::size_out_of_range;
    return x.with(dtype::int64);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes&) -> relations {
    return flows::elementwise(&x, 1, out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} wrap_index;

}  // namespace koila::inline v0::internal
