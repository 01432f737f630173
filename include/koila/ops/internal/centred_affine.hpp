// SPDX-License-Identifier: MIT
#pragma once
// centred_affine: (x - mean) * scale + shift.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>

#include <algorithm>

namespace koila::inline v0::internal {

/// (...) x (...) x (...) x (...) -> (...), broadcast: (x - mean) * scale + shift. The result is
/// floating-point; x and mean must not be boolean. batch_norm expands to this op. The gradient
/// reads x, so that x - mean and its multiples need not be kept in memory.
inline constexpr struct centred_affine : op<centred_affine, 4> {
  static constexpr std::string_view name = "centred_affine";
  static constexpr bool takes_numbers = true;
  static constexpr auto rule(const dims& x, const dims& mu, const dims& factor, const dims& shift) -> verdict {
    const dtype type = result_type(x, mu, factor, shift);
    if (type != dtype::unknown && !is_floating(type)) return reason::not_a_floating_type;
    if (x.type == dtype::boolean || mu.type == dtype::boolean) return reason::no_rule_for_booleans;  // as in sub
    const verdict v = rules::broadcast(x, mu, factor, type);
    return v.accepted() ? rules::broadcast(v.out, shift, type) : v;
  }
  static constexpr auto flow(const value& x, const value& mu, const value& factor, const value& shift, const dims& out)
      -> relations {
    const value in[] = {x, mu, factor, shift};
    return flows::elementwise(in, 4, out);
  }
  /// The workspace holds one converted operand, because the operators convert one operand at a
  /// time.
  static constexpr auto cost(const dims& x, const dims& mu, const dims& factor, const dims& shift, const dims& out)
      -> op_cost {
    return {3 * static_cast<double>(out.count()),
            static_cast<double>(x.bytes() + mu.bytes() + factor.bytes() + shift.bytes() + out.bytes()),
            std::max({detail::converted(mu, out.type), detail::converted(factor, out.type),
                      detail::converted(shift, out.type)})};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& mean, const at::Tensor& scale,
                       const at::Tensor& shift);
  [[gnu::always_inline]] static auto element(auto x, auto mu, auto factor, auto shift) {
    return (x - mu) * factor + shift;
  }
  static auto elements() -> detail::all_elements;
  /// If scale and mean have the same dims, the mean's gradient reuses sum(dy), which is often also
  /// the gradient of shift.
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& mu, const auto& factor,
                                 const auto& shift) {
    const dims m = dims_of(mu), by = dims_of(factor);
    const auto to_mean = rules::same_shape(m, by) == detail::tristate::yes && m.type == by.type
                             ? mul(sum_to(dy, mu), factor)
                             : sum_to(mul(dy, factor), mu);
    return gradients(sum_to(mul(dy, factor), x), neg(to_mean), sum_to(centred_affine{}(x, mu, dy, 0.0), factor),
                     sum_to(dy, shift));
  }
} centred_affine;

}  // namespace koila::inline v0::internal
