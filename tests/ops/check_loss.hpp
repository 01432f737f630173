// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of losses with two operands.
#include "check.hpp"

namespace koila::test {

/// Compares `f(reduction, operands...)` with LibTorch's `g(reduction, operands...)` for kMean, kSum
/// and kNone.
template <class F, class G, std::same_as<operand>... X>
void check_reductions(const ask& what, const F& f, const G& g, const X&... xs) {
  const auto one = [&](auto choice, std::int64_t reduction) {
    check(
        what, [&](const auto&... x) { return f(choice, x...); }, [&](const auto&... x) { return g(reduction, x...); },
        xs...);
  };
  one(kMean, at::Reduction::Mean);
  one(kSum, at::Reduction::Sum);
  one(kNone, at::Reduction::None);
}

/// Like check_reductions, for shapes that the compiler knows.
template <class F, class G, class... L>
void check_reductions_typed(const F& f, const G& g, const std::pair<L, at::Tensor>&... xs) {
  check_typed([&](const auto&... x) { return f(kMean, x...); },
              [&](const auto&... x) { return g(at::Reduction::Mean, x...); }, xs...);
  check_typed([&](const auto&... x) { return f(kNone, x...); },
              [&](const auto&... x) { return g(at::Reduction::None, x...); }, xs...);
}

/// Reduces the losses of the elements as LibTorch does.
inline auto reduce(const at::Tensor& each, std::int64_t reduction) -> at::Tensor {
  return reduction == at::Reduction::None ? each : reduction == at::Reduction::Sum ? each.sum() : each.mean();
}

/// Returns a few sizes with the batch dim at different positions, including batches of zero samples
/// and of one sample.
inline auto loss_sizes() -> std::vector<sizes_with_batch> {
  return {{{5, 3}, 0}, {{0, 3}, 0}, {{2, 1, 9}, 2}, {{1}, 0}};
}

/// Checks a result that is computed in float32, or in float64, and rounded to `type` at the end.
/// Computed values that differ in their last bits may be rounded to different numbers.
inline void rounded_once(const at::Tensor& got, const at::Tensor& exact, at::ScalarType type) {
  const double unit = type == at::kBFloat16 ? 0x1p-7
                      : type == at::kHalf   ? 0x1p-10
                      : type == at::kFloat  ? 1.3e-6
                                            : 1e-12;
  REQUIRE(got.scalar_type() == type);
  CHECK(at::allclose(got.to(at::kDouble), exact.to(at::kDouble), unit, type == at::kDouble ? unit : 1e-5, true));
}

}  // namespace koila::test
