// SPDX-License-Identifier: MIT
#pragma once
// abs_difference: |x - y|, with the gradient of LibTorch's smooth_l1_loss.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/ge.hpp>
#include <koila/ops/pointwise/gt.hpp>
#include <koila/ops/pointwise/le.hpp>
#include <koila/ops/pointwise/lt.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...), broadcast: |x - y| of floating-point values. Where x == y, the slope
/// with respect to either operand is -1, as in LibTorch's smooth_l1_loss with beta = 0. (In
/// LibTorch's l1_loss, the slope is 0 where x == y.)
inline constexpr struct abs_difference : binary<abs_difference> {
  static constexpr std::string_view name = "abs_difference";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& x, const dims& y) -> verdict {
    if (x.type == dtype::boolean || y.type == dtype::boolean) return reason::no_rule_for_booleans;
    const dtype type = result_type(x, y);
    if (type != dtype::unknown && !is_floating(type)) return reason::not_a_floating_type;
    return rules::broadcast(x, y);
  }
  static void evaluate(at::Tensor& d, const at::Tensor& x, const at::Tensor& y);
  [[gnu::always_inline]] static auto element(auto x, auto y) { return detail::magnitude(x - y); }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& y) {
    const auto d = sub(x, y);  // if the difference is NaN, the slope is NaN
    return gradients(sum_to(mul(dy, where(le(d, 0), -1.0, where(gt(d, 0), 1.0, d))), x),
                     sum_to(mul(dy, where(ge(d, 0), -1.0, where(lt(d, 0), 1.0, d))), y));
  }
} abs_difference;

}  // namespace koila::inline v0::internal
