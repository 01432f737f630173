// SPDX-License-Identifier: MIT
#pragma once
// Shared by reductions to a boolean.
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0::detail {

/// An op that reduces some or all dims to a boolean. M combines the results of the chunks. For
/// uint8 the result is uint8, as in LibTorch.
template <class Op, monoid M>
struct reducing_truth : reducing<Op, M> {
  static constexpr auto rule(const dims& x, const reduction_attributes& a) -> verdict {
    return rules::reduce(x, a, x.type == dtype::unknown || x.type == dtype::uint8 ? x.type : dtype::boolean);
  }
};

}  // namespace koila::inline v0::detail
