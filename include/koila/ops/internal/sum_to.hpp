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
  static constexpr auto required_layout(int, const dims& dy) -> layout { return rules::sum_layout(dy); }
  /// Returns the dims to sum over: bit i is set for dim i.
  static constexpr auto sums(const dims& dy, const dims&, const dims& out) -> unsigned {
    unsigned over = 0;
    const int lead = dy.rank - out.rank;
    for (int i = 0; i < dy.rank; ++i)
      if (i < lead || (out[i - lead].n == 1 && dy[i].n != 1)) over |= 1U << static_cast<unsigned>(i);
    return over;
  }
  /// The workspace holds the sum before its conversion to the dtype of the result, and the memory
  /// that LibTorch's sum allocates.
  static constexpr auto cost(const dims& dy, const dims&, const dims& out) -> op_cost {
    const unsigned over = sums(dy, out, out);
    const index_t unconverted = dy.type == out.type || over == 0 ? 0 : out.count() * detail::bytes_of(dy.type);
    return {static_cast<double>(dy.count()), static_cast<double>(dy.bytes() + out.bytes()),
            unconverted + rules::sum_workspace(dy, over, out.count())};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& dy, const at::Tensor& x);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto&) {
    const auto wide = detail::call_with<struct to_dtype>({dims_of(dy).type}, d);  // expand_like does not convert dtypes
    return gradients(detail::call<struct expand_like>(wide, dy), no_gradient);
  }
} sum_to;

}  // namespace koila::inline v0::internal

#include <koila/ops/indexing/expand_like.hpp>

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/empty_like_ops.h>
#include <ATen/ops/sum_ops.h>

namespace koila::inline v0 {

namespace detail {

/// Computes y, the sum of dy over the dims along which y was broadcast. `sum(y, dy, dims, keepdim)`
/// must compute a sum over `dims`.
template <class Sum>
void sum_broadcast(at::Tensor& y, const at::Tensor& dy, const Sum& sum) {
  std::int64_t over[dims::capacity], kept[dims::capacity];
  std::size_t n = 0;
  const auto lead = dy.dim() - y.dim();
  for (std::int64_t i = 0; i < dy.dim(); ++i) {
    kept[i] = i < lead ? 1 : y.size(i - lead);
    if (kept[i] == 1 && (i < lead || dy.size(i) != 1)) over[n++] = i;
  }
  if (n == 0) {
    y.copy_(dy);
    return;
  }
  const auto sum_into = [&](const at::Tensor& into) {
    at::Tensor all =
        into.view(at::IntArrayRef(kept, static_cast<std::size_t>(dy.dim())));  // with leading dims of extent 1
    sum(all, dy, at::OptionalIntArrayRef(at::IntArrayRef(over, n)), true);
  };
  if (dy.scalar_type() == y.scalar_type()) return sum_into(y);
  const at::Tensor wide =
      at::_ops::empty_like::call(y, dy.scalar_type(), std::nullopt, std::nullopt, std::nullopt, std::nullopt);
  sum_into(wide);  // as in LibTorch, the sum is converted, not the elements
  y.copy_(wide);
}

}  // namespace detail

namespace internal {

inline void sum_to::evaluate(at::Tensor& y, const at::Tensor& dy, const at::Tensor&) {
  detail::sum_broadcast(y, dy, [](at::Tensor& to, const at::Tensor& from, at::OptionalIntArrayRef over, bool keepdim) {
    at::_ops::sum_IntList_out::call(from, over, keepdim, to.scalar_type(), to);
  });
}

}  // namespace internal

}  // namespace koila::inline v0
#endif
