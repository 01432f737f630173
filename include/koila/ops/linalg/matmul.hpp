// SPDX-License-Identifier: MIT
#pragma once
// matmul: the product of vectors, matrices and stacks of matrices.
#include <koila/expr/erased.hpp>
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/internal/broadcast_to.hpp>
#include <koila/ops/linalg/bmm.hpp>
#include <koila/ops/linalg/mm.hpp>

namespace koila::inline v0 {

/// (..., m, k) x (..., k, n) -> (..., m, n), leading dims broadcast: the matrix product. A left
/// operand that is a vector is a row; a right operand that is a vector is a column.
inline constexpr struct matmul : author::op<matmul> {
  static constexpr std::string_view name = "matmul";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (a.rank == 0 || b.rank == 0) return reason::no_rule_for_these_ranks;
    if (a.type != dtype::unknown && b.type != dtype::unknown && a.type != b.type) return reason::dtypes_differ;
    const dtype type = a.type == dtype::unknown ? b.type : a.type;
    if (type == dtype::boolean) return reason::no_rule_for_booleans;
    if (!a.ranked() || !b.ranked()) return dims(type);
    if (detail::compare_extents(a[-1], b[b.rank == 1 ? 0 : -2]) == detail::tristate::no)
      return reason::inner_dimensions_differ;
    const verdict lead = rules::broadcast(leading(a), leading(b), type);
    if (!lead.accepted()) return reason::batch_dimensions_differ;
    dims out = lead.out;
    if (out.rank + 2 > dims::capacity) return reason::too_many_dimensions;
    if (a.rank > 1) out.e[out.rank++] = a[-2];
    if (b.rank > 1) out.e[out.rank++] = b[-1];
    return out;
  }

  /// Expands to mm if the right operand is a matrix or a vector, else to bmm.
  static constexpr auto expand(const auto& a, const auto& b) -> erased<dtype::unknown, unranked> {
    const dims x = dims_of(a), y = dims_of(b), result = rule(x, y).out;
    if (x.rank == 2 && y.rank == 2) return mm(a, b);
    const dims column = y.rank == 1 ? dims({y[0], extent{1}}, y.type) : y;
    if (column.rank == 2) {
      const dims flat({x.rank == 2 ? x[0] : extent{x.count(0, x.rank - 1), {}, true}, x[-1]}, x.type);
      return detail::reshape_to(mm(detail::reshape_to(a, flat), detail::reshape_to(b, column)), result);
    }
    const dims row = x.rank == 1 ? dims({extent{1}, x[0]}, x.type) : x;
    const dims lead = rules::broadcast(leading(row), leading(column), x.type).out;
    const auto stack = [&](const auto& e, const dims& d) {
      dims wide = lead, flat({lead.rank == 1 ? lead[0] : extent{lead.count(), {}, true}, d[-2], d[-1]}, d.type);
      wide.e[wide.rank++] = d[-2];
      wide.e[wide.rank++] = d[-1];
      return detail::reshape_to(internal::broadcast_to(detail::reshape_to(e, d), wide), flat);
    };
    return detail::reshape_to(bmm(stack(a, row), stack(b, column)), result);
  }

 private:
  static constexpr auto leading(const dims& d) -> dims {
    dims out = d;
    out.rank = d.rank > 2 ? d.rank - 2 : 0;
    return out;
  }
} matmul;

}  // namespace koila::inline v0
