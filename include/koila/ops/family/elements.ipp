#pragma once
// How an op's function of elements is compiled: plain code that the compiler vectorises, once for each set of instructions, of which
// the machine's best is taken when the program starts. Nothing is asked of the user's flags.
#include <koila/expr/op.hpp>
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/element_math.ipp>
#include <koila/shape/elements.hpp>

#include <concepts>
#include <utility>

namespace koila::detail {

enum class instructions : signed char { baseline, avx2, avx512 };

/// Of these sets the machine's best, and at most what CMake's KOILA_INSTRUCTIONS allows.
inline auto best_instructions() -> instructions {
#if defined(__x86_64__) && !defined(KOILA_BASELINE_INSTRUCTIONS)
#ifndef KOILA_NO_AVX512
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0)
    return instructions::avx512;
#endif
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) return instructions::avx2;
#endif
  return instructions::baseline;
}

/// For tests: less than the machine has.
inline std::atomic<instructions> most_instructions{instructions::avx512};
inline auto instructions_to_use() -> instructions {
  static const instructions best = best_instructions();
  return std::min(best, most_instructions.load(std::memory_order_relaxed));
}

/// y[i] = F(x[i]...). Iterations do not depend on each other: y is an operand or apart from all of them.
template <class Op, class F, class T, class... X>
[[gnu::always_inline]] inline void each_element(T* y, [[maybe_unused]] const void* at, std::int64_t n, const X*... x) {
  // clang flattens no calls of calls, so it is told where they are.
  const auto loop = [&](auto f) __attribute__((always_inline)) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
    for (std::int64_t i = 0; i < n; ++i) [[clang::always_inline]]
      y[i] = f(x[i]...);
#else
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) y[i] = f(x[i]...);
#endif
  };
  if constexpr (std::same_as<attributes_t<Op>, no_attributes>) loop(F{});
#ifdef __clang__
  else [[clang::always_inline]] F{}(T{}, *static_cast<const attributes_t<Op>*>(at), loop);
#else
  else F{}(T{}, *static_cast<const attributes_t<Op>*>(at), loop);
#endif
}

/// An op's functions, for each set of instructions. `flatten`: what is called is inlined, or it would be of the baseline.
template <class Op, class F, class T, class I>
struct elements_functions;
template <class Op, class F, class T, std::size_t... I>
struct elements_functions<Op, F, T, std::index_sequence<I...>> {
  [[gnu::flatten]] static void baseline(void* y, const void* const* in, const void* at, index_t n) {
    each_element<Op, F>(static_cast<T*>(y), at, n, static_cast<const T*>(in[I])...);
  }
#ifdef __x86_64__
  [[gnu::flatten, gnu::target("avx2,fma")]] static void avx2(void* y, const void* const* in, const void* at, index_t n) {
    each_element<Op, F>(static_cast<T*>(y), at, n, static_cast<const T*>(in[I])...);
  }
#ifdef __clang__
  [[gnu::flatten, gnu::target("avx512f,avx512vl,avx512dq,avx2,fma"), clang::min_vector_width(512)]]
#else
  [[gnu::flatten, gnu::target("avx512f,avx512vl,avx512dq,avx2,fma,prefer-vector-width=512")]]
#endif
  static void avx512(void* y, const void* const* in, const void* at, index_t n) {
    each_element<Op, F>(static_cast<T*>(y), at, n, static_cast<const T*>(in[I])...);
  }
#endif
  static auto best() -> elements_function {
#ifdef __x86_64__
    if (instructions_to_use() == instructions::avx512) return avx512;
    if (instructions_to_use() == instructions::avx2) return avx2;
#endif
    return baseline;
  }
};

/// The functions of an op with so many operands. F is a function of elements; of an op with attributes, a function of a number of
/// the type, of the attributes, and of the loop, which is called with a function of elements.
template <class Op, std::size_t Operands, class F>
auto elements_of(F) -> all_elements {
  static_assert(Operands <= most_element_operands);
  using I = std::make_index_sequence<Operands>;
  return {elements_functions<Op, F, float, I>::best(), elements_functions<Op, F, double, I>::best()};
}
/// The same of what is computed in float32 alone.
template <class Op, std::size_t Operands, class F>
auto float_elements_of(F) -> float_elements {
  static_assert(Operands <= most_element_operands);
  return {elements_functions<Op, F, float, std::make_index_sequence<Operands>>::best()};
}

}  // namespace koila::detail
