// SPDX-License-Identifier: MIT
#pragma once
// poisson_nll_loss: the negative log-likelihood of counts under a Poisson distribution.
#include <koila/ops/activation/relu.hpp>
#include <koila/ops/internal/relu_backward.hpp>
#include <koila/ops/loss/likelihood.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/exp.hpp>
#include <koila/ops/pointwise/log.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attributes of poisson_nll_loss, namely `log_input` (true by default), `full` (false by
/// default), `eps` (1e-8 by default) and the reduction.
struct poisson_attributes : loss_attributes {
  attr<bool> log_input = true, full = false;
  attr<double> eps = 1e-8;
  friend constexpr auto operator==(const poisson_attributes&, const poisson_attributes&) -> bool = default;
};

}  // namespace detail

/// (...) x (...) -> (), or (...) with kNone, broadcast: e^x - y * x, or x - y * log(x + eps) if
/// log_input is false. `full` adds Stirling's approximation of log(y!) where y > 1.
inline constexpr struct poisson_nll_loss : detail::loss_of_broadcast<poisson_nll_loss, detail::poisson_attributes> {
  static constexpr std::string_view name = "poisson_nll_loss";
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    if (!rules::may_float(x.type)) return reason::not_a_floating_type;
    if (y.type == dtype::boolean && a.full.known && a.full.value) return reason::no_rule_for_booleans;
    return loss_of_broadcast::rule(x, y, a);
  }
  static constexpr auto each(const auto& x, const auto& y, const attributes& a) {
    const dims dx = dims_of(x), dy = dims_of(y);
    const dtype type = result_type(dx, dy);  // the loss's dtype; the logarithm of integers would be float32
    const bool has_type = dy.type == type || (dy.number && !dx.number);
    return loss_of(detail::as_dtype_of(x, y), detail::as_dtype_of(y, x), has_type ? dtype::unknown : type, a);
  }

 private:
  /// `convert` is the dtype of the loss, or unknown if y need not be converted.
  static constexpr auto loss_of(const auto& x, const auto& y, dtype convert, const attributes& a) {
    const auto loss = a.log_input.value ? sub(ops::exp(x), mul(y, x)) : sub(x, mul(y, ops::log(add(x, a.eps.value))));
    if (!a.full.value) return loss;
    const auto counts = convert == dtype::unknown ? y : detail::call_with<struct internal::to_dtype>({convert}, y);
    const auto above = sub(counts, 1), n = add(relu(above), 1);
    const auto stirling = add(sub(mul(n, ops::log(n)), n), mul(add(ops::log(n), detail::log_two_pi), 0.5));
    return add(loss, internal::relu_backward(stirling, above));  // 0 unless y > 1
  }
} poisson_nll_loss;

}  // namespace koila::inline v0
