// SPDX-License-Identifier: MIT
#pragma once
// sum_to: the backward pass of broadcasting.
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0 {
struct expand_like;
}  // namespace koila::inline v0

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): sums the first operand over the dims along which the second operand was
/// broadcast. Only the dims of the second operand are read.
inline constexpr struct sum_to : op<sum_to> {
  static constexpr std::string_view name = "sum_to";
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims& dy, const dims& x) -> verdict {
    if ((!dy.number && !rules::may_float(dy.type)) || !rules::may_float(x.type)) return reason::not_a_floating_type;
    if (!rules::broadcasts_to(x, dy)) return reason::not_broadcastable;
    return x.with(x.type);
  }
  static constexpr auto flow(const value& dy, const value& x, const dims&) -> relations {
    relations f;
    if (!dy.batch_relation.sampled()) return f;
    const int axis = dy.batch_relation.axis - (dy.dims.rank - x.dims.rank);
    if (axis < 0 || (x.dims.e[axis].is_one() && !dy.dims.e[dy.batch_relation.axis].is_one()))
      f.out = partial(monoid::sum);
    else f.out = samples_along(axis, dy.batch_relation.outer, dy.batch_relation.inner);
    return f;
  }
  static constexpr auto is_noop(const dims& dy, const dims& x) -> bool {
    return dy.number ? x.rank == 0
                     : dy.rank == x.rank && rules::same_shape(dy, x) == detail::tristate::yes && dy.type == x.type;
  }
  /// Returns the dims to sum over: bit i is set for dim i.
  static constexpr auto sums(const dims& dy, const dims&, const dims& out) -> unsigned {
    unsigned over = 0;
    const int lead = dy.rank - out.rank;
    for (int i = 0; i < dy.rank; ++i)
      if (i < lead || (out[i - lead].n == 1 && dy[i].n != 1)) over |= 1U << static_cast<unsigned>(i);
    return over;
  }
  /// The workspace holds the sum before its conversion to the dtype of the result.
  static constexpr auto cost(const dims& dy, const dims&, const dims& out) -> op_cost {
    const unsigned over = sums(dy, out, out);
    const index_t unconverted = dy.type == out.type || over == 0 ? 0 : out.count() * detail::bytes_of(dy.type);
    return {static_cast<double>(dy.count()), static_cast<double>(dy.bytes() + out.bytes()), unconverted};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& dy, const at::Tensor& x);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto&) {
    const auto wide = detail::call_with<struct to_dtype>({dims_of(dy).type}, d);  // expand_like does not convert dtypes
    return gradients(detail::call<struct expand_like>(wide, dy), no_gradient);
  }
} sum_to;

}  // namespace koila::inline v0::internal

#include <koila/ops/indexing/expand_like.hpp>
