// SPDX-License-Identifier: MIT
#pragma once
// median_index: the index of the median.
#include <koila/ops/reduction/selection.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) -> int64 (..., ...): the index of the median along `dim`. Booleans are not
/// allowed.
inline constexpr struct median_index : detail::selecting<median_index> {
  static constexpr std::string_view name = "median";
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return a.all() ? verdict(reason::no_dim_given) : rules::selected(x, a, int64);
  }
  /// The workspace holds the medians and, if the elements along the dim are not contiguous, a copy
  /// of the values.
  static constexpr auto cost(const dims& x, const dims& out, const attributes& a) -> op_cost {
    const int d = detail::wrap(a.dim.value, x.rank);
    const bool contiguous = x.rank == 0 || x.e[d].n == 1 || x.count(d + 1, x.rank) == 1;
    return {4.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()),
            out.count() * detail::bytes_of(x.type) + (contiguous ? 0 : x.bytes())};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} median_index;

}  // namespace koila::inline v0::internal
