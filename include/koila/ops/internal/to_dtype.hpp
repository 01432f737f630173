// SPDX-License-Identifier: MIT
#pragma once
// to_dtype: converts to another dtype.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace internal {

/// (...) -> (...): x converted to the given dtype. Call this op as to<float64>(x).
inline constexpr struct to_dtype : unary<to_dtype> {
  static constexpr std::string_view name = "to_dtype";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<dtype> type = dtype::unknown;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, type); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return x.with(a.type.value); }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool { return x.type == a.type.value; }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()), static_cast<double>(x.bytes() + out.bytes()), 0};  // copy_ converts
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes&);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes&) {
    return gradients(detail::call_with<to_dtype>({dims_of(x).type}, dy));
  }
} to_dtype;

}  // namespace internal

/// (...) -> (...): x converted to dtype T, or x itself if x already has dtype T. The gradient is
/// converted back to the dtype of x.
template <dtype T, class X>
  requires detail::accepts_call<struct internal::to_dtype, std::remove_cvref_t<X>>
constexpr auto to(X&& x) {
  return internal::to_dtype(std::forward<X>(x), hana::integral_constant<dtype, T>{});
}

}  // namespace koila::inline v0
