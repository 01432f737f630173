// SPDX-License-Identifier: MIT
#pragma once
// How an op's element-wise function becomes a vectorised loop, see instructions.ipp.
#include <koila/expr/op.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/common/instructions.ipp>
#include <koila/shape/elements.hpp>

#include <concepts>
#include <utility>

namespace koila::inline v0::detail {

/// Computes y[i] = F(x[i]...) for i in [0, n). The iterations must be independent. This means that
/// y must be one of the operands, or must not overlap any operand.
template <class Op, class F, class T, class... X>
[[gnu::always_inline]] inline void each_element(T* y, [[maybe_unused]] const void* attributes, std::int64_t n,
                                                const X*... x) {
  const auto loop = [&](auto f) __attribute__((always_inline)) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (std::int64_t i = 0; i < n; ++i) y[i] = inlined(f, x[i]...);
  };
  if constexpr (std::same_as<attributes_t<Op>, no_attributes>) loop(F{});
  else inlined(F{}, T{}, *static_cast<const attributes_t<Op>*>(attributes), loop);
}

/// An op's element-wise function as a kernel.
template <class Op, class F, class T, std::size_t... I>
struct element_loop {
  [[gnu::always_inline]] static inline void run(void* y, const void* const* operands, const void* attributes,
                                                index_t n) {
    each_element<Op, F>(static_cast<T*>(y), attributes, n, static_cast<const T*>(operands[I])...);
  }
};
template <class Op, class F, class T, std::size_t... I>
auto best_loop(std::index_sequence<I...>) -> elements_function {
  return functions_of<element_loop<Op, F, T, I...>, void*, const void* const*, const void*, index_t>::best();
}

/// Calls Op::element, the op's element-wise function. Without attributes, the arguments are the
/// elements. With attributes, the arguments are a number of the element type, the attributes and
/// the loop, as for elements_of.
template <class Op>
struct stated_element {
  template <class... X>
  [[gnu::always_inline]] auto operator()(const X&... x) const {
    return Op::element(x...);
  }
};

/// Returns the float32 and float64 kernels of an op with `Operands` operands. If the op has no
/// attributes, F is a function of elements. If the op has attributes, F takes a number of the
/// element type, the attributes and the loop. F must call the loop with a function of elements.
template <class Op, std::size_t Operands, class F = stated_element<Op>>
auto elements_of(F = {}) -> all_elements {
  static_assert(Operands <= most_element_operands);
  using I = std::make_index_sequence<Operands>;
  return {best_loop<Op, F, float>(I()), best_loop<Op, F, double>(I())};
}
/// Returns the float32 kernel of an op whose element-wise function supports only float32.
template <class Op, std::size_t Operands, class F = stated_element<Op>>
auto float_elements_of(F = {}) -> float_elements {
  static_assert(Operands <= most_element_operands);
  return {best_loop<Op, F, float>(std::make_index_sequence<Operands>())};
}

}  // namespace koila::inline v0::detail
