// SPDX-License-Identifier: MIT
#pragma once
// Shared by scatter and scatter_add.
#include <koila/ops/indexing/indexing.hpp>

namespace koila::inline v0::detail {

/// (..., n, ...) x int64 (..., m, ...) x (..., m, ...) -> (..., n, ...). The source may be a
/// number.
template <class Op>
struct scattering : indexing<Op, 3> {
  static constexpr auto rule(const dims& x, const dims& index, const dims& src, const dim_attribute& a) -> verdict {
    const verdict v = rules::gathered(x, index, a);
    if (!v.accepted()) return v;
    if (src.number) return x;
    if (x.type != dtype::unknown && src.type != dtype::unknown && x.type != src.type) return reason::dtypes_differ;
    if (rules::same_shape(index, src) == tristate::no) return reason::shapes_differ;
    return x;
  }
  static constexpr auto flow(const value& x, const value& index, const value& src, const dims& out,
                             const dim_attribute& a) -> relations {
    const value in[] = {x, index, src};
    return flows::beside(in, 3, wrap(a.dim.value, out.rank), out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& index, const dims& src, const dims& out) -> op_cost {
    return {0, static_cast<double>(x.bytes() + index.bytes() + 2 * src.bytes() + out.bytes()), 0};
  }
};

}  // namespace koila::inline v0::detail
