#pragma once
// What reductions of truth values share.
#include <koila/ops/family/reduction.hpp>

namespace koila {

/// An op that reduces some dims or all to a truth value by the monoid M. Of uint8 the result is of
/// uint8, as in LibTorch.
template <class Op, monoid M>
struct reducing_truth : reducing<Op, M> {
  static constexpr auto rule(const dims& x, const reduction_attributes& a) -> verdict {
    return rules::reduce(x, a, x.type == dtype::unknown || x.type == dtype::uint8 ? x.type : dtype::boolean);
  }
};

}  // namespace koila
