// SPDX-License-Identifier: MIT
#pragma once
// Checks for ops that compute 16-bit floats in float32. The errors against float64 results for the
// same values are compared with LibTorch's errors.
#include <algorithm>
#include <cmath>

#include "check.hpp"

namespace koila::test {

/// Returns the largest difference from `want`, relative to the largest value of `want`. Considers
/// only elements of `want` that are finite and, if `got` is float16, less than 6e4. Returns
/// infinity if `got` is not finite at one of these elements.
inline auto error_of(const at::Tensor& got, const at::Tensor& want) -> double {
  const at::Tensor g = got.detach().to(at::kDouble), w = want.detach();
  const at::Tensor counts = at::isfinite(w).logical_and(w.abs() < (got.scalar_type() == at::kHalf ? 6e4 : 3e38));
  if (!counts.any().item<bool>()) return 0;
  const at::Tensor off = at::where(counts, (g - w).abs(), 0);
  if (!at::isfinite(off).all().item<bool>()) return INFINITY;
  const double most = at::where(counts, w.abs(), 0).max().item<double>();
  return off.max().item<double>() / (most > 0 ? most : 1);
}

/// Compares `f` of 16-bit leaves, for the whole batch and in chunks, with LibTorch's `g` of the
/// same values in float64. The errors of the value and of the gradients must be at most one
/// rounding, or 1.5 times the errors of `g` in 16 bits. The gradients are those of a weighted sum
/// of y, with weights that 16 bits represent exactly.
template <class F, class G, std::same_as<operand>... X>
void check_16_bits(const F& f, const G& g, const X&... xs) {
  constexpr auto all = std::index_sequence_for<X...>{};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    for (const auto type : {at::kHalf, at::kBFloat16}) {
      const double half_a_step = type == at::kHalf ? 0x1p-11 : 0x1p-8;
      const auto of_leaves = [&](at::ScalarType t) {
        return std::vector<at::Tensor>{xs.value.to(type).to(t).set_requires_grad(true)...};
      };
      const std::vector<at::Tensor> exact = of_leaves(at::kDouble), theirs = of_leaves(type);
      const at::Tensor want = g(exact[I]...), eager = g(theirs[I]...);
      const at::Tensor factors = (at::arange(want.numel(), at::kDouble).remainder(7).view(want.sizes()) - 3) * 0.25;
      (want * factors).sum().backward();
      eager.backward(factors.to(eager.scalar_type()));

      const std::vector<bound> b{leaf(theirs[I].detach(), xs.batch)...};
      const auto y = f(b[I].leaf...);
      const auto loss = sum(mul(to<float32>(anything(y)), koila::lazy(factors.to(at::kFloat))));
      const auto at_most = [&](double libtorchs) { return std::max(1.05 * half_a_step, 1.5 * libtorchs); };
      const auto one = [&](const auto& e, index_t chunk) {
        std::vector<binding<at::Tensor>> inputs;
        for (const bound& x : b)
          if (x.leaf.state->kind == leaf_state::input) inputs.push_back({x.leaf.state, x.value});
        const options o{.memory = 1_GiB, .chunk = chunk};
        switch (inputs.size()) {
          case 0: return run(e, o);
          case 1: return run(e, o, inputs[0]);
          default: return run(e, o, inputs[0], inputs[1]);
        }
      };
      for (const index_t chunk : {index_t{1} << 40, index_t{1}, index_t{3}}) {
        INFO(type << " in chunks of " << chunk);
        const double off = error_of(one(y, chunk), want), libtorchs = error_of(eager, want);
        INFO("the value is off by " << off << ", LibTorch's by " << libtorchs);
        CHECK(off <= at_most(libtorchs));
        for (std::size_t k = 0; k < sizeof...(X); ++k) {
          const at::Tensor slope = exact[k].grad();
          if (!slope.defined()) continue;
          const double off_k = error_of(one(gradient(loss, b[k].leaf), chunk), slope),
                       libtorchs_k = error_of(theirs[k].grad(), slope);
          INFO("the gradient of operand " << k << " is off by " << off_k << ", LibTorch's by " << libtorchs_k);
          CHECK(off_k <= at_most(libtorchs_k));
        }
      }
    }
  }(all);
}

/// Values whose statistics are inexact in 16 bits: small values, values far from 0, large values,
/// and values with little variation.
inline auto hard_values(at::IntArrayRef sizes) -> std::vector<at::Tensor> {
  return {normal(sizes) * 0.01, normal(sizes) * 0.01 + 10, normal(sizes) + 300, normal(sizes) * 1000,
          normal(sizes) * 1e-4};
}

}  // namespace koila::test
