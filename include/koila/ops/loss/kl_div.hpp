// SPDX-License-Identifier: MIT
#pragma once
// kl_div: the Kullback-Leibler divergence of log-probabilities from a target.
#include <koila/ops/internal/xlogx.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/exp.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attributes of kl_div, namely `log_target` (false by default) and the reduction.
struct kl_div_attributes : loss_attributes {
  attr<bool> log_target = false;
  friend constexpr auto operator==(const kl_div_attributes&, const kl_div_attributes&) -> bool = default;
};

}  // namespace detail

/// (...) x (...) -> (), or (...) with kNone, broadcast: y * (log(y) - x). x holds
/// log-probabilities; y holds probabilities, or log-probabilities if log_target is true. kMean
/// averages over all elements, as in LibTorch. kBatchMean divides the sum by the extent of dim 0
/// only, as in the definition of the divergence.
inline constexpr struct kl_div : detail::loss_of_broadcast<kl_div, detail::kl_div_attributes> {
  static constexpr std::string_view name = "kl_div";
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    if (!rules::may_float(x.type) || !rules::may_float(y.type)) return reason::not_a_floating_type;
    const bool divides_by_batch = a.reduction.value == choice::batch_mean;
    if (divides_by_batch && x.ranked() && x.rank == 0) return reason::no_rule_for_these_ranks;
    return loss_of_broadcast::rule(
        x.with(type_beside(x, y)), y,
        {{divides_by_batch ? attr<choice>(choice::sum, a.reduction.known) : a.reduction}, {}});
  }
  static constexpr auto each(const auto& x, const auto& y, const attributes& a) {
    const dtype type = type_beside(dims_of(x), dims_of(y));
    if (type == dims_of(x).type) return loss_of(x, detail::as_dtype_of(y, x), a);
    const auto wide = detail::call_with<struct internal::to_dtype>({type}, x);
    return loss_of(wide, detail::call<struct expand_like>(y, wide), a);
  }
  static constexpr auto expand(const auto& x, const auto& y, const attributes& a) {
    if (a.reduction.value != choice::batch_mean) return detail::reduce(each(x, y, a), a.reduction);
    return mul(sum(each(x, y, a)), internal::inverse_count(x, dim = 0_c));
  }

 private:
  /// The dtype to which x is converted. If the target is a number, LibTorch computes functions of
  /// the target in float32. If x then has no dims, the result has the wider of float32 and the
  /// dtype of x.
  static constexpr auto type_beside(const dims& x, const dims& y) -> dtype {
    const bool has_dims = x.ranked() && x.rank > 0;
    if (!y.number || x.number || has_dims || !is_floating(x.type)) return x.type;
    const dtype wide = promote(x.type, float32);
    return x.ranked() || wide == x.type ? wide : dtype::unknown;
  }
  template <class X>
  static constexpr auto loss_of(const X& x, const X& y, const attributes& a) -> X {
    return a.log_target.value ? mul(ops::exp(y), sub(y, x)) : sub(internal::xlogx(y), mul(y, x));
  }
} kl_div;

}  // namespace koila::inline v0
