// SPDX-License-Identifier: MIT
#pragma once
// pow_backward: the backward passes of pow for its base and its exponent.
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/ge.hpp>
#include <koila/ops/pointwise/logical_and.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sub.hpp>

#include <algorithm>

namespace koila::inline v0 {

namespace ops {
struct pow;
}  // namespace ops
namespace internal {

struct pow_backward_exponent;

}  // namespace internal

namespace detail {

/// The bytes that LibTorch allocates to compare a tensor of dtype t with an integer. LibTorch
/// allocates an int64 scalar and its conversion to t.
constexpr auto compared(dtype t) -> index_t { return 8 + (t == dtype::int64 ? 0 : bytes_of(t)); }

}  // namespace detail

namespace internal {

/// (...) x (...) x (...) -> (...): dy * b * a^(b - 1), or 0 where b is 0.
inline constexpr struct pow_backward_base : op<pow_backward_base> {
  static constexpr std::string_view name = "pow_backward_base";
  static constexpr bool takes_numbers = true;
  static constexpr auto rule(const dims& dy, const dims& a, const dims& b) -> verdict {
    if (dy.number || !rules::may_float(dy.type)) return reason::not_a_floating_type;
    if (a.type == dtype::boolean || b.type == dtype::boolean) return reason::no_rule_for_booleans;
    if (!rules::broadcasts_to(a, dy) || !rules::broadcasts_to(b, dy)) return reason::not_broadcastable;
    return dy;
  }
  static constexpr auto flow(const value& dy, const value& a, const value& b, const dims& out) -> relations {
    const value in[] = {dy, a, b};
    return flows::elementwise(in, 3, out);
  }
  /// The workspace holds either a converted operand, or the mask b == 0 and the scalar 0 that b
  /// is compared with. The cost states the larger of the two sizes.
  static constexpr auto cost(const dims& dy, const dims& a, const dims& b, const dims& out) -> op_cost {
    const index_t wide_a = a.type == out.type ? 0 : out.bytes(), wide_b = detail::converted(b, out.type);
    const index_t mask = b.number ? 0 : std::max(b.count() + detail::compared(b.type), detail::compared(out.type));
    return {4.0 * static_cast<double>(out.count()),
            static_cast<double>(dy.bytes() + a.bytes() + b.bytes() + out.bytes()), std::max({wide_a, wide_b, mask})};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& a, const auto& b) {
    const auto e = sub(b, 1), both = mul(d, dy), scaled = mul(both, b);
    const auto of_power = detail::call<struct pow_backward_exponent>(scaled, detail::call<struct ops::pow>(a, e), a, e);
    const auto of_factor = mul(both, detail::call<struct ops::pow>(a, e));
    return gradients(sum_to(pow_backward_base{}(d, a, b), dy), sum_to(pow_backward_base{}(scaled, a, e), a),
                     sum_to(where(eq(b, 0), 0, add(of_power, of_factor)), b));
  }
} pow_backward_base;

/// (...) x (...) x (...) x (...) -> (...): dy * y * log(a), or 0 where a is 0 and b >= 0.
inline constexpr struct pow_backward_exponent : op<pow_backward_exponent> {
  static constexpr std::string_view name = "pow_backward_exponent";
  static constexpr auto rule(const dims& dy, const dims& y, const dims& a, const dims& b) -> verdict {
    if (dy.number || !rules::may_float(dy.type)) return reason::not_a_floating_type;
    for (const dims* x : {&y, &a, &b}) {
      if (x->type == dtype::boolean) return reason::no_rule_for_booleans;
      if (!rules::broadcasts_to(*x, dy)) return reason::not_broadcastable;
    }
    return dy;
  }
  static constexpr auto flow(const value& dy, const value& y, const value& a, const value& b, const dims& out)
      -> relations {
    const value in[] = {dy, y, a, b};
    return flows::elementwise(in, 4, out);
  }
  /// The workspace holds the masks a == 0 and b >= 0, and either the conjunction of the two masks
  /// or the scalar 0 that a and b are compared with.
  static constexpr auto cost(const dims& dy, const dims&, const dims& a, const dims& b, const dims& out) -> op_cost {
    const index_t both = rules::broadcast(a, b).out.count();
    return {4.0 * static_cast<double>(out.count()),
            static_cast<double>(2 * dy.bytes() + a.bytes() + b.bytes() + out.bytes()),
            std::max(a.count() + detail::compared(a.type),
                     a.count() + b.count() + std::max(both, detail::compared(b.type)))};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& a,
                       const at::Tensor& b);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y, const auto& a,
                                 const auto& b) {
    const auto none = logical_and(eq(a, 0), ge(b, 0));
    return gradients(sum_to(pow_backward_exponent{}(d, y, a, b), dy), sum_to(pow_backward_exponent{}(d, dy, a, b), y),
                     sum_to(where(none, 0, ops::div(mul(mul(d, dy), y), a)), a), no_gradient);
  }
} pow_backward_exponent;

}  // namespace internal

}  // namespace koila::inline v0
