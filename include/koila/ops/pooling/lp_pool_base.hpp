// SPDX-License-Identifier: MIT
#pragma once
// Shared by the power-average pooling ops.
#include <koila/ops/activation/relu.hpp>
#include <koila/ops/internal/avg_pool.hpp>
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/pointwise/abs.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/pow.hpp>
#include <koila/ops/pointwise/precision.hpp>
#include <koila/ops/pointwise/sign.hpp>

#include <limits>

namespace koila::inline v0 {

namespace detail {

/// The attributes of lp_pool, in LibTorch's order. `norm_type` and `kernel_size` have no default.
struct lp_pool_attributes {
  static constexpr std::size_t positional = 4;
  attr<double> norm_type{std::numeric_limits<double>::quiet_NaN(), false};  // an unknown NaN: no number is given
  attr_list kernel_size, stride;
  attr<bool> ceil_mode = false;

  constexpr void set(std::size_t i, const auto& v) {
    detail::assign_at(i, v, norm_type, kernel_size, stride, ceil_mode);
  }
  constexpr auto given() const -> bool { return norm_type.known || norm_type.value == norm_type.value; }
  /// The power that is applied at the end.
  constexpr auto root() const -> attr<double> {
    const double p = norm_type.value;
    return {p == 0 ? std::numeric_limits<double>::infinity() : 1 / p, norm_type.known};
  }
  constexpr auto for_rank(int n) const -> pool_of { return {true, n, kernel_size, stride, 0, 1, {}, ceil_mode}; }
  constexpr void write(auto& w) const { for_rank(0).write(w); }
  friend constexpr auto operator==(const lp_pool_attributes&, const lp_pool_attributes&) -> bool = default;
};

/// Power-average pooling over N spatial dims.
template <class Op, int N>
struct lp_pool : op<Op, 1> {
  using attributes = lp_pool_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!a.given()) return reason::no_number_given;
    const dtype type = rules::floating(x.type);
    const bool held = rules::holds(type, a.norm_type) && (a.norm_type.value == 0 || rules::holds(type, a.root()));
    if (!held) return reason::number_out_of_range;
    return rules::pooled(x.with(type), a.for_rank(N), true);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const pool_of windows = a.for_rank(N);
    double elements = 1;
    for (int i = 0; i < N; ++i) elements *= static_cast<double>(windows.kernel_size[i].value);
    const dtype type = rules::floating(dims_of(x).type);
    return detail::rounded_once(type, [&] {
      const auto real = detail::call_with<struct internal::to_dtype>({detail::accumulator_of(type)}, x);
      const auto mean = internal::avg_pool(ops::pow(real, a.norm_type.value), pooling = windows);
      // This product equals the mean. But where the mean is 0, its slope is 0. Without the product,
      // the gradient of a window of zeros would be infinity times 0.
      const auto stopped = mul(sign(mean), relu(ops::abs(mean)));
      return ops::pow(mul(stopped, elements), a.root().value);
    });
  }
};

}  // namespace detail

}  // namespace koila::inline v0
