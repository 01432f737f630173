// SPDX-License-Identifier: MIT
#pragma once
// local_response_norm: divides each value by a norm over neighbouring channels.
#include <koila/ops/internal/window_sum.hpp>
#include <koila/ops/normalization/normalisation.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/pow.hpp>

namespace koila::inline v0 {

/// (n, c, ...) -> (n, c, ...): x / (k + (alpha / size) * sum(x^2))^beta. The sum is over `size`
/// channels around each channel.
inline constexpr struct local_response_norm : author::op<local_response_norm, 1> {
  static constexpr std::string_view name = "local_response_norm";
  struct attributes {
    static constexpr std::size_t positional = 4;
    attr<index_t> size = 1;
    attr<double> alpha = 1e-4, beta = 0.75, k = 1;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, size, alpha, beta, k); }
    constexpr void write(auto& w) const { w.put(", size "), size.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.size.known && (a.size.value < 1 || a.size.value > detail::most_elements)) return reason::size_out_of_range;
    for (const attr<double>& number : {a.alpha, a.beta, a.k})
      if (!rules::holds(x.type, number)) return reason::number_out_of_range;
    if (x.ranked() && x.rank < 3) return reason::no_rule_for_these_ranks;
    return rules::channelled(x);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const index_t n = a.size.value;
    return detail::widened(x, [&]<class X>(const X& v) -> X {
      const auto around = internal::window_sum(mul(v, v), n / 2, (n - 1) / 2, 1);
      return ops::div(v, ops::pow(add(mul(around, a.alpha.value / static_cast<double>(n)), a.k.value), a.beta.value));
    });
  }
} local_response_norm;

}  // namespace koila::inline v0
