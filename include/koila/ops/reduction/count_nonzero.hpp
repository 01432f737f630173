// SPDX-License-Identifier: MIT
#pragma once
// count_nonzero: the number of nonzero elements.
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> int64 (..., ...): the number of nonzero elements over the dims `dim`, or over
/// all dims.
inline constexpr struct count_nonzero : author::op<count_nonzero, 1> {
  static constexpr std::string_view name = "count_nonzero";
  using attributes = detail::reduction_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::reduce(x, a, int64); }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return sum(detail::call_with<struct internal::to_dtype>({dtype::boolean}, x), koila::dim = a.dim,
               koila::keepdim = a.keepdim);
  }
} count_nonzero;

}  // namespace koila::inline v0
