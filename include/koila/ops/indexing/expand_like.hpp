// SPDX-License-Identifier: MIT
#pragma once
// expand_like: expands a value to the shape of another value. With `dim`, this is the transpose of
// sum.
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0 {

struct sum;
namespace internal {
struct sum_to;
}  // namespace internal

/// (...) x (..., n, ...) -> (..., n, ...): the first operand, expanded to the shape of the second
/// operand. If `dim` is given and keepdim is false, the first operand must lack the dims that `dim`
/// lists, like the result of `sum` over them. These dims are inserted with extent 1 before the
/// operand is expanded. Only the dims of the second operand are read. Returns a view.
inline constexpr struct expand_like : author::op<expand_like, 2> {
  static constexpr std::string_view name = "expand_like";
  using attributes = detail::reduction_attributes;
  static constexpr unsigned shape_only = 0b10;
  /// The result is a view, so it has the dtype of dy. A C++ number gets the dtype of x.
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const dtype type = dy.number ? x.type : dy.type;
    const verdict summed = rules::reduce(x, a, type);
    if (!summed.accepted()) return summed;
    if (back(a) && a.keepdim.known && dy.ranked() && summed.out.ranked() && dy.rank != summed.out.rank)
      return reason::not_broadcastable;
    if (a.keepdim.known && !rules::broadcasts_to(dy, back(a) ? summed.out : x)) return reason::not_broadcastable;
    return x.with(type);
  }
  static constexpr auto flow(const value& dy, const value& x, const dims& out, const attributes& a) -> relations {
    relations f;
    if (!x.batch_relation.sampled()) {
      f.operand[0].kind = need::whole;
      return f;
    }
    f.out = x.batch_relation;
    int axis = x.batch_relation.axis - (back(a) ? 0 : out.rank - dy.dims.rank);
    bool summed = false;
    for (int d = 0; d <= x.batch_relation.axis && back(a); ++d) {  // dy lacks the summed dims
      summed = (a.bits(out.rank) >> static_cast<unsigned>(d) & 1U) != 0;
      axis -= summed ? 1 : 0;
    }
    if (summed || axis < 0 || dy.dims.e[axis].is_one()) f.operand[0].kind = need::whole;
    else f.operand[0] = {need::rows, samples_along(axis, x.batch_relation.outer, x.batch_relation.inner)};
    return f;
  }
  static constexpr auto is_noop(const dims& dy, const dims& x) -> bool {
    return rules::same_shape(dy, x) == detail::tristate::yes && dy.type == x.type && dy.rank > 0;
  }
  static void view(at::Tensor& y, const at::Tensor& dy, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto&, const attributes& a) {
    const auto total =
        back(a) ? detail::call<struct sum>(d, koila::dim = a.dim) : d;  // else sum_to sums the broadcast dims
    return gradients(detail::call<struct internal::sum_to>(total, dy), no_gradient);
  }

 private:
  static constexpr auto back(const attributes& a) -> bool { return !a.all() && !a.keepdim.value; }
} expand_like;

}  // namespace koila::inline v0

#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/reduction/sum.hpp>
