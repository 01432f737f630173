// SPDX-License-Identifier: MIT
#pragma once
// prelu: leaky_relu with a learned slope, He et al. 2015.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/pointwise/gt.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

/// (n, c, ...) x (c) -> (n, c, ...): x where x > 0, else x times the weight. The weight is one
/// number, or one number per channel (dim 1).
inline constexpr struct prelu : author::op<prelu> {
  static constexpr std::string_view name = "prelu";
  static constexpr auto rule(const dims& x, const dims& w) -> verdict {
    if (w.number) return reason::weight_is_a_number;
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    if (x.type != dtype::unknown && w.type != dtype::unknown && x.type != w.type) return reason::dtypes_differ;
    if (w.ranked() && w.rank > 1) return reason::weight_is_not_per_channel;
    const bool several = w.rank == 1 && !w[0].is_one();
    if (several && x.ranked() &&
        (x.rank < 2 ? w[0].known() : detail::compare_extents(w[0], x[1]) == detail::tristate::no))
      return reason::weight_is_not_per_channel;
    return x.type == dtype::unknown ? x.with(w.type) : x;
  }
  static constexpr auto expand(const auto& x, const auto& w) {
    const dims d = dims_of(x), v = dims_of(w);
    dims along = scalar(v.type);  // (), or (c, 1, ...) to broadcast along the channels
    if (v.rank == 1 && !v[0].is_one()) {
      along = detail::open_dims(d.rank - 1, v.type);
      for (int i = 0; i < along.rank; ++i) along.e[i] = i == 0 ? v[0] : extent{1};
    }
    // Where x is positive, the weight is multiplied by 0 and not by x. So these elements add 0 to
    // the gradient of the weight, even if x is infinite.
    const auto positive = gt(x, 0);
    return where(positive, x, mul(where(positive, 0, x), detail::reshape_to(w, along)));
  }
} prelu;

}  // namespace koila::inline v0
