// SPDX-License-Identifier: MIT
#pragma once
// custom_backward: the gradient of custom, by LibTorch's autograd.
#include <koila/ops/custom/opaque.hpp>

namespace koila::inline v0::internal {

/// The attributes of custom, and the index `wanted` of the operand whose gradient is computed.
struct opaque_backward_attributes : detail::opaque_attributes {
  int wanted = 0;
  constexpr opaque_backward_attributes() = default;
  constexpr opaque_backward_attributes(const detail::opaque_attributes& a, int k)
      : detail::opaque_attributes(a), wanted(k) {}
  friend constexpr auto operator==(const opaque_backward_attributes&, const opaque_backward_attributes&)
      -> bool = default;
};

/// dy (...) x (...) x ... -> dims of one operand: calls the callable with autograd and propagates
/// dy back. With `per_sample`, the gradient of an operand that is passed whole (a weight) is the
/// sum over the chunks.
// Memory: the plan counts the result of the callable and the gradient that autograd returns, which
// suffices for a callable that runs one kernel. `backward_workspace` states how many bytes the
// callable and autograd allocate in addition at the same time.
inline constexpr struct custom_backward : op<custom_backward, 0> {
  static constexpr std::string_view name = "custom_backward";
  static constexpr bool draws_elsewhere = true;
  static constexpr bool keeps_dtypes = true;
  using attributes = opaque_backward_attributes;
  template <class... Ts>
    requires detail::leads<dims, 2, 6, detail::type_list<attributes>, Ts...>
  static constexpr auto rule(const Ts&... ts) -> verdict {
    constexpr std::size_t n = sizeof...(Ts) - 2;
    const auto from_array = [&](const dims* operands, const attributes& a) -> verdict {
      const verdict v = rules::opaque(operands + 1, n, a, a.wanted);
      return v.accepted() ? verdict(operands[1 + a.wanted]) : v;
    };
    return detail::with_array<n + 1>(from_array, ts...);
  }
  template <class... Ts>
    requires detail::leads<value, 2, 6, detail::type_list<dims, attributes>, Ts...>
  static constexpr auto flow(const Ts&... ts) -> relations {
    constexpr std::size_t n = sizeof...(Ts) - 3;
    const auto from_array = [&](const value* operands, const dims& dx, const attributes& a) {
      const batch_relation r =
          a.per_sample.value ? detail::rows_called_for(operands + 1, n, operands[0].dims) : batch_relation{};
      if (!r.sampled()) return flows::gather(operands, n + 1, dx);
      relations f;
      f.operand[0] = {need::rows, r};
      for (std::size_t k = 1; k <= n; ++k) f.operand[k] = detail::called_with(operands[k], r);
      f.out = f.operand[1 + a.wanted].kind == need::rows ? r : partial(monoid::sum);
      return f;
    };
    return detail::with_array<n + 1>(from_array, ts...);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  template <class... Ts>
    requires detail::leads<dims, 3, 7, detail::type_list<attributes>, Ts...>
  static constexpr auto cost(const Ts&... ts) -> op_cost {
    constexpr std::size_t n = sizeof...(Ts) - 3;
    const auto from_array = [&](const dims* operands, const dims& dx, const attributes& a) {
      double bytes = 2 * static_cast<double>(operands[0].bytes() + dx.bytes());
      for (std::size_t k = 0; k <= n; ++k) bytes += static_cast<double>(operands[k].bytes());
      return op_cost{0, bytes, operands[0].bytes() + dx.bytes() + a.backward_workspace.value};
    };
    return detail::with_array<n + 1>(from_array, ts...);
  }
  template <class... Ts>
    requires detail::leads<at::Tensor, 2, 6, detail::type_list<attributes>, Ts...>
  static void evaluate(at::Tensor& dx, const Ts&... ts) {
    const auto from_array = [&](const at::Tensor* const* operands, const attributes& a) {
      detail::run_opaque_backward(*a.callable.f, a.wanted, dx, *operands[0], operands + 1);
    };
    detail::with_array<sizeof...(Ts) - 1>(from_array, ts...);
  }
} custom_backward;

}  // namespace koila::inline v0::internal
