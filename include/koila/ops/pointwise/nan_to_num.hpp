// SPDX-License-Identifier: MIT
#pragma once
// nan_to_num: replaces NaN and infinities by numbers.
#include <koila/ops/pointwise/isfinite.hpp>
#include <koila/ops/pointwise/mul.hpp>

#include <limits>

namespace koila::inline v0 {

/// (...) -> (...): x with NaN replaced by `nan` (0 by default), and infinities by `posinf` and
/// `neginf` (by default the largest and the smallest finite number of the dtype). `nan` is the
/// first attribute and has no name, because C declares a function `nan`.
inline constexpr struct nan_to_num : author::unary<nan_to_num> {
  static constexpr std::string_view name = "nan_to_num";
  struct attributes {
    static constexpr std::size_t positional = 3;
    static constexpr double largest = std::numeric_limits<double>::max();  // stands for the largest number of any dtype
    attr<double> nan = 0.0, posinf = largest, neginf = -largest;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, nan, posinf, neginf); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes&) {
    return gradients(mul(dy, ops::isfinite(x)));
  }
} nan_to_num;

}  // namespace koila::inline v0
