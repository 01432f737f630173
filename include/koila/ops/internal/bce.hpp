// SPDX-License-Identifier: MIT
#pragma once
// bce: the binary cross entropy of each element.
#include <koila/ops/internal/hinge.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/log.hpp>
#include <koila/ops/pointwise/log1p.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): -(y * log(x) + (1 - y) * log(1 - x)) for probabilities x. A logarithm
/// below -100 counts as -100. As in LibTorch, the gradient divides by x * (1 - x) or 1e-12,
/// whichever is larger, so that the gradient is finite even for a wrong prediction of 0 or 1.
inline constexpr struct bce : op<bce> {
  static constexpr std::string_view name = "bce";
  static constexpr auto rule(const dims& x, const dims& y) -> verdict {
    if (x.type != dtype::unknown && y.type != dtype::unknown && x.type != y.type) return reason::dtypes_differ;
    return rules::reduced(rules::equal_dims(x, y), choice::none);
  }
  static constexpr auto flow(const value& x, const value& y, const dims& out) -> relations {
    const value in[] = {x, y};
    return flows::elementwise(in, 2, out);
  }
  static constexpr auto cost(const dims& x, const dims& y, const dims& out) -> op_cost {
    return {static_cast<double>(8 * out.count()), static_cast<double>(x.bytes() + y.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& loss, const at::Tensor& x, const at::Tensor& y);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& y) {
    constexpr double least = double{1e-12F};  // LibTorch's constant is a float for every dtype
    const auto spread = add(hinge(sub(mul(sub(1, x), x), least)), least);
    return gradients(mul(dy, ops::div(sub(x, y), spread)), mul(dy, sub(ops::log1p(neg(x)), ops::log(x))));
  }
} bce;

}  // namespace koila::inline v0::internal
