// SPDX-License-Identifier: MIT
#pragma once
// huber_loss: the squared error, or the absolute error where the error is large.
#include <koila/ops/activation/hardtanh.hpp>
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attributes of huber_loss, namely `delta` (1 by default) and the reduction.
struct huber_attributes : loss_attributes {
  attr<double> delta = 1;
  friend constexpr auto operator==(const huber_attributes&, const huber_attributes&) -> bool = default;
};

/// Returns c * (d - c / 2), where c is d limited to [-delta, delta]. This form without |d| also has
/// the correct second derivative at d = 0.
constexpr auto huber(const auto& d, double delta) {
  const auto c = hardtanh(d, -delta, delta);
  return mul(c, sub(d, mul(c, 0.5)));
}

}  // namespace detail

/// (...) x (...) -> (), or (...) with kNone: let d = x - y; the loss is d^2 / 2 where |d| < delta,
/// else delta * (|d| - delta / 2). The result has the dtype of x.
inline constexpr struct huber_loss : detail::loss_of_alike<huber_loss, detail::huber_attributes> {
  static constexpr std::string_view name = "huber_loss";
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    if (a.delta.known && !(a.delta.value > 0)) return reason::size_out_of_range;
    // The result would have the integer dtype of x, which cannot hold fractions.
    if (!x.number && x.type != dtype::unknown && !is_floating(x.type) && is_floating(y.type))
      return reason::dtypes_differ;
    const verdict v = rules::equal_dims(x, y);
    return rules::reduced(v.accepted() ? verdict(v.out.with(type_of(x, y))) : v, a.reduction);
  }
  static constexpr auto each(const auto& x, const auto& y, const attributes& a) {
    return detail::call_with<struct internal::to_dtype>({type_of(dims_of(x), dims_of(y))},
                                                        detail::huber(detail::difference(x, y), a.delta.value));
  }

 private:
  /// The result has the dtype of x, as in LibTorch. The other losses promote the dtypes.
  static constexpr auto type_of(const dims& x, const dims& y) -> dtype { return x.number ? result_type(x, y) : x.type; }
} huber_loss;

}  // namespace koila::inline v0
