#pragma once
// mse_loss: the mean of squared differences.
#include <koila/expr/let.hpp>
#include <koila/ops/mean.hpp>
#include <koila/ops/mul.hpp>
#include <koila/ops/sub.hpp>

namespace koila {

/// (...) x (...) -> (): mean((x - y)^2). The shapes must be the same: broadcasting a target is a mistake more often than not.
inline constexpr struct mse_loss : op<mse_loss> {
  static constexpr std::string_view name = "mse_loss";
  static constexpr auto rule(const dims& x, const dims& y) -> verdict {
    const dtype type = result_type(x, y);
    if (type != dtype::unknown && !is_floating(type)) return why::not_a_floating_type;
    if (rules::same_shape(x, y) == tri::no) return why::shapes_differ;
    return scalar(type);
  }
  static constexpr auto expand(const auto& x, const auto& y) {
    const auto difference = let(sub(x, y));
    return mean(mul(difference, difference));
  }
} mse_loss;

}  // namespace koila
