// SPDX-License-Identifier: MIT
#pragma once
// bernoulli_like: random ones and zeros with one probability.
#include <koila/ops/random/random_base.hpp>

namespace koila::inline v0::internal {

/// (...) -> (...): 1 with probability p, else 0, with the dims and dtype of x. The values of x are
/// not read. The dropout ops set two more attributes. `kept` replaces the value 1. All dims except
/// the first `leading` dims get extent 1, so that the elements along these dims share one random
/// number.
inline constexpr struct bernoulli_like : op<bernoulli_like, 1> {
  static constexpr std::string_view name = "bernoulli_like";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<double> p = 0.5, kept = 1;
    attr<index_t> leading = dims::capacity;
    detail::random_identity call;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, p); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr unsigned shape_only = 1;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    if (!rules::probability(a.p)) return reason::probability_out_of_range;
    if (a.leading.value < 0) return reason::size_out_of_range;
    dims out = x.with(x.type);
    for (int i = static_cast<int>(a.leading.value < x.rank ? a.leading.value : x.rank); i < x.rank; ++i)
      out.e[i] = extent{1};
    return out;
  }
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    return x.batch_relation.axis < a.leading.value ? flows::drawn(x) : relations{};
  }
  static constexpr auto cost(const dims&, const dims& out) -> op_cost {
    return {5.0 * static_cast<double>(out.count()), static_cast<double>(out.bytes()), 0};
  }
  static void draw(at::Tensor& y, const at::Tensor& x, const attributes& a, const detail::portion& where);
  static constexpr auto gradient(const auto&, const auto&, const auto&, const attributes&) {
    return gradients(no_gradient);
  }
} bernoulli_like;

}  // namespace koila::inline v0::internal
