// SPDX-License-Identifier: MIT
#pragma once
// logsumexp: the logarithm of the sum of exponentials.
#include <koila/ops/internal/finite_or_zero.hpp>
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/pointwise/exp.hpp>
#include <koila/ops/pointwise/log.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/reduction/amax.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., ...): the logarithm of the sum of exp(x) over the dims `dim`, or over all
/// dims, without overflow. Integers become float32.
inline constexpr struct logsumexp : author::op<logsumexp, 1> {
  static constexpr std::string_view name = "logsumexp";
  using attributes = detail::reduction_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::reduce(x, a, rules::floating(x.type));
  }
  static constexpr auto expand(const auto& given, const attributes& a) {
    const auto x = detail::call_with<struct internal::to_dtype>({rules::floating(dims_of(given).type)}, given);
    const auto over = [&](const auto& v) { return sum(v, koila::dim = a.dim, koila::keepdim = a.keepdim); };
    if (rules::reduced_count(dims_of(given), a).n == 0) return ops::log(over(ops::exp(x)));
    const auto maximum_of_each = internal::finite_or_zero(amax(x, koila::dim = a.dim, koila::keepdim = true));
    return add(ops::log(over(ops::exp(sub(x, maximum_of_each)))),
               a.keepdim.value ? maximum_of_each : over(maximum_of_each));
  }
} logsumexp;

}  // namespace koila::inline v0
