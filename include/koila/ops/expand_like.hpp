#pragma once
// expand_like: the transpose of summing.
#include <koila/expr/erased.hpp>
#include <koila/ops/family/reduction.hpp>

namespace koila {

struct sum;
struct sum_to;

/// (...) like (..., n, ...) -> (..., n, ...): repeats a value along the dim that was summed, or broadcasts it. A view.
inline constexpr struct expand_like : op<expand_like, 2> {
  static constexpr std::string_view name = "expand_like";
  using attributes = reduction_attributes;
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims&, const dims& x, const attributes&) -> verdict { return x; }
  static constexpr auto flow(const value& dy, const value& x, const dims& out, const attributes& a) -> relations {
    relations f;
    if (!x.r.sampled()) {
      f.operand[0].is = need::whole;
      return f;
    }
    f.out = x.r;
    const bool back = !a.all() && !a.keepdim.value;  // the summed dim is put back
    const int d = back ? wrap(a.dim.value, out.rank) : -1;
    const int axis = x.r.axis - (back ? (d <= x.r.axis ? 1 : 0) : out.rank - dy.d.rank);
    if (axis < 0 || (back && d == x.r.axis) || dy.d.e[axis].is_one()) f.operand[0].is = need::whole;
    else f.operand[0] = {need::rows, rows(axis, x.r.outer, x.r.inner)};
    return f;
  }
  static constexpr auto identity(const dims& dy, const dims& x) -> bool {
    return rules::same_shape(dy, x) == tri::yes && dy.type == x.type && dy.rank > 0;
  }
  static void view(out y, const at::Tensor& dy, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto&, const attributes& a) {
    using either_way = erased<dtype::unknown, unranked>;
    const bool back = !a.all() && !a.keepdim.value;  // else the dim is broadcast as any other
    const either_way total = back ? either_way(detail::call<struct sum>(d, koila::dim = a.dim)) : either_way(d);
    return gradients(detail::call<struct sum_to>(total, dy), no_gradient);
  }
} expand_like;

}  // namespace koila

#include <koila/ops/sum.hpp>
#include <koila/ops/sum_to.hpp>

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

namespace koila {

KOILA_INLINE void expand_like::view(out y, const at::Tensor& dy, const dims& to, const attributes& a) {
  const bool back = !a.all() && !a.keepdim.value && to.rank > 0;
  y = (back ? dy.unsqueeze(a.dim.value) : dy).expand(detail::sizes(to));
}

}  // namespace koila
#endif
