// SPDX-License-Identifier: MIT
#pragma once
// Conversion between 16-bit elements and float32. Kernels compute in float32, and round each
// computed value to its 16-bit dtype, as if the value were stored in a tensor.
#include <koila/ops/common/floating.ipp>
#include <koila/ops/common/instructions.ipp>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <bit>
#include <cstdint>
#include <type_traits>

namespace koila::inline v0::detail {

/// Returns `yes` if `which` is true, else `no`. Selects by a bit mask, because compilers would turn
/// a conditional expression into a branch.
[[gnu::always_inline]] inline auto chosen(bool which, std::uint32_t yes, std::uint32_t no) -> std::uint32_t {
  const std::uint32_t mask = 0U - (which ? 1U : 0U);
  return (yes & mask) | (no & ~mask);
}

[[gnu::always_inline]] inline auto widened(at::BFloat16 x) -> float {
  return std::bit_cast<float>(std::uint32_t{x.x} << 16);
}
[[gnu::always_inline]] inline auto widened(at::Half x) -> float { return static_cast<float>(x); }

/// Returns the bits of x, rounded to a 16-bit dtype as in LibTorch: to the nearest number, with
/// ties to even. All NaNs become the same NaN.
[[gnu::always_inline]] inline auto narrowed(float x, at::BFloat16) -> std::uint16_t {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t nearest = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  return static_cast<std::uint16_t>(chosen((bits & 0x7FFFFFFF) > 0x7F800000, 0x7FC0, nearest));
}
[[gnu::always_inline]] inline auto narrowed(float x, at::Half) -> std::uint16_t {
  const auto all = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t bits = all & 0x7FFFFFFF;
  // float16 numbers below 2^-14, the smallest normal float16, are as far apart as floats in [0.5,
  // 1).
  const std::uint32_t small =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(bits) + 0.5F) - std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t normal =
      (bits - (112U << 23) + 0xFFF + (bits >> 13 & 1)) >> 13;  // the exponent's bias is 15 instead of 127
  const std::uint32_t finite = chosen(bits < 0x38800000, small, normal);
  const std::uint32_t none = chosen(bits > 0x7F800000, 0x7E00, 0x7C00);
  return static_cast<std::uint16_t>(chosen(bits >= 0x47800000, none, finite) | (all >> 16 & 0x8000));
}

/// Computes y[i] = x[i * step] in float32.
template <class T>
struct wide_elements {
  [[gnu::always_inline]] static void run(float* y, const void* x, index_t step, index_t n) {
    const T* const from = static_cast<const T*>(x);
    if (step == 1) each_of(n, [=](index_t i) { y[i] = widened(from[i]); });
    else
      for (index_t i = 0; i < n; ++i) y[i] = widened(from[i * step]);
  }
};

/// Rounds x[i] to T, and stores the rounded value in both y[i] and x[i].
template <class T>
struct narrow_elements {
  [[gnu::always_inline]] static void run(float* x, void* y, index_t n) {
    std::uint16_t* const to = static_cast<std::uint16_t*>(y);
    each_of(n, [=](index_t i) {
      const std::uint16_t bits = narrowed(x[i], T());
      to[i] = bits;
      x[i] = widened(T(bits, T::from_bits()));
    });
  }
};

#ifdef __x86_64__

/// Like wide_elements and narrow_elements, but only for float16, with F16C instructions.
/// Compilers do not use these instructions for a loop.
[[gnu::target("avx2,f16c")]] inline void read_halves(float* y, const void* x, index_t step, index_t n) {
  const auto* const from = static_cast<const at::Half*>(x);
  index_t i = 0;
  if (step == 1)
    for (; i + 8 <= n; i += 8)
      _mm256_storeu_ps(y + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  for (; i < n; ++i) y[i] = widened(from[i * step]);
}
[[gnu::target("avx2,f16c")]] inline void round_halves(float* x, void* y, index_t n) {
  auto* const to = static_cast<std::uint16_t*>(y);
  index_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i bits = _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), bits);
    _mm256_storeu_ps(x + i, _mm256_cvtph_ps(bits));
  }
  narrow_elements<at::Half>::run(x + i, to + i, n - i);
}

#endif

/// The functions that read and round elements of a 16-bit type, or null for other types.
struct narrow_functions {
  void (*read)(float* y, const void* x, index_t step, index_t n) = nullptr;
  void (*round)(float* x, void* y, index_t n) = nullptr;
};
template <class T>
auto narrow_functions_of() -> narrow_functions {
#ifdef __x86_64__
  if (std::is_same_v<T, at::Half> && instructions_to_use() != instructions::baseline &&
      __builtin_cpu_supports("f16c") != 0)
    return {read_halves, round_halves};
#endif
  return {functions_of<wide_elements<T>, float*, const void*, index_t, index_t>::best(),
          functions_of<narrow_elements<T>, float*, void*, index_t>::best()};
}

}  // namespace koila::inline v0::detail
