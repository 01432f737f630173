// SPDX-License-Identifier: MIT
#pragma once
// Shared by the comparisons, the logical ops and the bitwise ops on two operands.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0::author {

/// An element-wise op with a boolean result: (...) x (...) -> bool (...), broadcast. LibTorch's
/// kernels convert the operands to their common dtype first. The op has no gradient.
template <class Op>
struct comparison : binary<Op> {
  static constexpr auto rule(const dims& a, const dims& b) -> verdict { return rules::broadcast(a, b, dtype::boolean); }
  static constexpr auto cost(const dims& a, const dims& b, const dims& out) -> op_cost {
    const dtype common = result_type(a, b);
    return {static_cast<double>(out.count()), static_cast<double>(a.bytes() + b.bytes() + out.bytes()),
            detail::converted(a, common) + detail::converted(b, common)};
  }
};

/// An element-wise op on the bits of two integer or boolean values that broadcast.
template <class Op>
struct bitwise : binary<Op> {
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (is_floating(a.type) || is_floating(b.type)) return reason::not_integers;
    return rules::broadcast(a, b);
  }
};

}  // namespace koila::inline v0::author
