// SPDX-License-Identifier: MIT
#pragma once
// How a kernel is compiled. A kernel is plain code, which the compiler vectorises once for each
// instruction set. The best version for the machine is chosen when the program runs, so users
// need no compiler flags.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/common/processor.hpp>

#ifdef __FAST_MATH__
#error \
    "koila's kernels lose all bits of exp, tanh and erf under -ffast-math: compile what defines them (koila::koila does) with -fno-fast-math"
#endif

#include <algorithm>
#include <atomic>
#include <utility>

namespace koila::inline v0::detail {

/// Returns the best instruction set that the machine has and that CMake's KOILA_INSTRUCTIONS
/// allows.
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

/// The largest instruction set that kernels may use. Tests choose smaller instruction sets.
inline std::atomic<instructions> most_instructions{instructions::avx512};
inline auto instructions_to_use() -> instructions {
  static const instructions best = best_instructions();
  return std::min(best, most_instructions.load(std::memory_order_relaxed));
}

/// Calls f(a...), and forces the compiler to inline the call. clang's `flatten` inlines only the
/// calls in the body of the kernel itself. Deeper calls would reach functions that are compiled for
/// baseline instructions.
template <class F, class... A>
[[gnu::always_inline]] inline auto inlined(const F& f, A&&... a) -> decltype(auto) {
#ifdef __clang__
  [[clang::always_inline]] return f(std::forward<A>(a)...);
#else
  return f(std::forward<A>(a)...);
#endif
}

/// Calls f(i) for i in [0, n) in a vectorised loop. The iterations must be independent.
template <class F>
[[gnu::always_inline]] inline void each_of(index_t n, F f) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (index_t i = 0; i < n; ++i) inlined(f, i);
}

/// The kernel K::run(a...), compiled for each instruction set. `flatten` inlines the functions that
/// the kernel calls. Without `flatten`, these functions would be compiled for baseline
/// instructions.
template <class K, class... A>
struct functions_of {
  using function = void (*)(A...);

  [[gnu::flatten]] static void baseline(A... a) { K::run(a...); }
#ifdef __x86_64__
  [[gnu::flatten, gnu::target("avx2,fma")]] static void avx2(A... a) { K::run(a...); }
#ifdef __clang__
  [[gnu::flatten, gnu::target("avx512f,avx512vl,avx512dq,avx2,fma"), clang::min_vector_width(512)]]
#else
  [[gnu::flatten, gnu::target("avx512f,avx512vl,avx512dq,avx2,fma,prefer-vector-width=512")]]
#endif
  static void avx512(A... a) {
    K::run(a...);
  }
#endif

  static auto best() -> function {
    const function f = with_fma();
    return f != nullptr ? f : baseline;
  }
  /// Returns the best version that has fused multiply-add instructions, or null.
  static auto with_fma() -> function {
#ifdef __x86_64__
    if (instructions_to_use() == instructions::avx512) return avx512;
    if (instructions_to_use() == instructions::avx2) return avx2;
#endif
    return nullptr;
  }
};

}  // namespace koila::inline v0::detail
