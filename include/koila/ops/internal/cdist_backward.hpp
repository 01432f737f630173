// SPDX-License-Identifier: MIT
#pragma once
// cdist_backward: the gradient of the distances between all pairs of points.
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/power.hpp>
#include <koila/ops/pointwise/abs.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/sign.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/reduction/sum.hpp>

#include <limits>

namespace koila::inline v0 {

namespace detail {

/// The order of the norm that measures a distance.
struct distance_attributes {
  static constexpr std::size_t positional = 1;
  attr<double> p = 2.0;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, p); }
  friend constexpr auto operator==(const distance_attributes&, const distance_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// Checks the order of a distance in dtype t. LibTorch's kernels compute in float32 and float64.
constexpr auto distance_order(dtype t, const detail::distance_attributes& a) -> reason {
  if (a.p.known && !(a.p.value >= 0)) return reason::size_out_of_range;  // refuses NaN too
  return holds(t, a.p) ? reason::accepted : reason::number_out_of_range;
}

/// (b, n, m) x (b, r, m) -> (b, n, r): float32 or float64.
constexpr auto distances(const dims& x1, const dims& x2, const detail::distance_attributes& a) -> verdict {
  if ((x1.ranked() && x1.rank != 3) || (x2.ranked() && x2.rank != 3)) return reason::no_rule_for_these_ranks;
  if (!same_type(x1, x2)) return reason::dtypes_differ;
  const dtype type = x1.type == dtype::unknown ? x2.type : x1.type;
  if (type != dtype::unknown && type != dtype::float32 && type != dtype::float64)
    return reason::no_rule_for_these_dtypes;
  if (const reason r = distance_order(type, a); r != reason::accepted) return r;
  if (!x1.ranked() && !x2.ranked()) return detail::open_dims(3, type);
  if (!x2.ranked()) return dims({x1[0], x1[1], extent{}}, type);
  if (!x1.ranked()) return dims({x2[0], extent{}, x2[1]}, type);
  if (detail::compare_extents(x1[0], x2[0]) == detail::tristate::no) return reason::batch_dimensions_differ;
  if (detail::compare_extents(x1[2], x2[2]) == detail::tristate::no) return reason::inner_dimensions_differ;
  return dims({detail::either(x1[0], x2[0]), x1[1], x2[1]}, type);
}

}  // namespace rules

namespace internal {

struct cdist_forward;

/// (b, n, r) x (b, n, m) x (b, r, m) x (b, n, r) -> (b, n, m): the gradient of cdist_forward with
/// respect to x1, from dy, x1, x2 and the distances y. A distance of 0 has the gradient 0.
inline constexpr struct cdist_backward : op<cdist_backward, 4> {
  static constexpr std::string_view name = "cdist_backward";
  using attributes = detail::distance_attributes;
  static constexpr auto rule(const dims& dy, const dims& x1, const dims& x2, const dims& y, const attributes& a)
      -> verdict {
    const verdict v = rules::distances(x1, x2, a);
    if (!v.accepted()) return v;
    if (a.p.known && a.p.value == 0) return reason::size_out_of_range;  // the distances are constants
    for (const dims* d : {&dy, &y}) {
      if (rules::same_shape(*d, v.out) == detail::tristate::no) return reason::shapes_differ;
      if (!rules::same_type(*d, v.out)) return reason::dtypes_differ;
    }
    return x1.ranked() ? x1.with(v.out.type) : dims({v.out[0], v.out[1], x2.ranked() ? x2[2] : extent{}}, v.out.type);
  }
  /// The samples lie along one of the dims b, n, r and m of the distances and the points.
  static constexpr auto flow(const value& dy, const value& x1, const value& x2, const value& y, const dims& out)
      -> relations {
    const value in[] = {dy, x1, x2, y};
    constexpr char labels[4][4] = {"bnr", "bnm", "brm", "bnr"};
    relations f;
    for (int k = 0; k < 4; ++k) {
      const batch_relation& r = in[k].batch_relation;
      if (!r.sampled()) continue;
      const char label = labels[k][r.axis];
      for (int i = 0; i < 4; ++i) {
        f.operand[i].kind = need::whole;
        for (int axis = 0; axis < 3; ++axis)
          if (labels[i][axis] == label) f.operand[i] = {need::rows, samples_along(axis, r.outer, r.inner)};
      }
      // The result is a sum over r.
      f.out = label == 'r' ? partial(monoid::sum)
                           : samples_along(label == 'b'   ? 0
                                           : label == 'n' ? 1
                                                          : 2,
                                           r.outer, r.inner);
      return f;
    }
    (void)out;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims& x1, const dims& x2, const dims& y, const dims& out)
      -> op_cost {
    return {5.0 * static_cast<double>(dy.count()) * static_cast<double>(x1[2].n),
            static_cast<double>(dy.bytes() + x1.bytes() + x2.bytes() + y.bytes() + out.bytes()),
            dy.count() == 0 ? 0 : out.bytes()};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x1, const at::Tensor& x2,
                       const at::Tensor& y, const attributes& a);
  /// The second derivative, of the sum over r and m of d * dy * s, where s is the slope sign(x1 -
  /// x2) * |x1 - x2|^(p - 1) * y^(1 - p).
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x1, const auto& x2,
                                 const auto& y, const attributes& a) {
    const auto pairs = sub(unsqueeze(x1, 2_c), unsqueeze(x2, 1_c)), size = ops::abs(pairs);  // (b, n, r, m)
    const auto moves = unsqueeze(d, 2_c);
    const double p = a.p.value;
    if (p == std::numeric_limits<double>::infinity()) {
      const auto slope = where(eq(size, unsqueeze(y, 3_c)), sign(pairs), 0.0);
      return gradients(sum(mul(moves, slope), koila::dim = 3_c), no_gradient, no_gradient, no_gradient);
    }
    const auto to = [](const auto& x, double e) { return internal::power(x, koila::internal::exponent = e); };
    const auto along = sum(mul(moves, mul(sign(pairs), to(size, p - 1))), koila::dim = 3_c);  // (b, n, r)
    const auto bent = mul(mul(moves, to(size, p - 2)), unsqueeze(mul(mul(dy, to(y, 1 - p)), p - 1), 3_c));
    return gradients(mul(along, to(y, 1 - p)), sum(bent, koila::dim = 2_c), neg(sum(bent, koila::dim = 1_c)),
                     mul(mul(along, dy), mul(to(y, -p), 1 - p)));
  }
} cdist_backward;

}  // namespace internal

}  // namespace koila::inline v0
