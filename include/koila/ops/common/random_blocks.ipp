// SPDX-License-Identifier: MIT
#pragma once
// Generates the random bits of many blocks at once.
#include <koila/ops/common/instructions.ipp>
#include <koila/ops/random/random_base.hpp>

#include <cstdint>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace koila::inline v0::detail {

/// The largest number of blocks of random bits that one call generates. The counters of these
/// blocks differ only in their last bits.
inline constexpr index_t blocks_per_call = 64;
/// The random bits of `blocks_per_call` blocks, four words each.
struct random_words {
  alignas(64) std::uint32_t words[4 * blocks_per_call];
};

/// Writes the random bits of n blocks to the front of `to`. `first` is the counter of the first
/// block. The blocks must not cross a multiple of blocks_per_call. All words of `to` may be
/// overwritten.
using random_blocks_function = void (*)(random_words& to, philox_words first, std::uint32_t k0, std::uint32_t k1,
                                        index_t n);

inline void random_blocks(random_words& to, philox_words first, std::uint32_t k0, std::uint32_t k1, index_t n) {
  for (index_t i = 0; i < n; ++i) {
    philox_words counter = first;
    counter.w[0] += static_cast<std::uint32_t>(i);
    const philox_words bits = philox(counter, k0, k1);
    for (int k = 0; k < 4; ++k) to.words[4 * i + k] = bits.w[k];
  }
}
/// For up to this many blocks, scalar code was fastest on every machine that was measured.
inline constexpr index_t few_blocks = 2;

#ifdef __x86_64__

// random_blocks in vector code. The code uses the machine's multiplication of 32-bit words, which
// compilers do not use for `philox`. Compilers emit twice as many multiplications and shuffle the
// halves of the results. Each word is the lower half of a 64-bit lane. The upper half may have any
// value, because the multiplication does not read it. The order of the blocks in the lanes is
// chosen so that consecutive blocks are adjacent after the final shuffle. Vector code is slower for
// few blocks. (The AVX-512 multiplication has a mask, because g++ 12 warns about the intrinsic
// without a mask.)

[[gnu::target("avx2")]] inline void random_blocks_by_avx2(random_words& to, philox_words first, std::uint32_t k0,
                                                          std::uint32_t k1, index_t n) {
  using lanes [[gnu::vector_size(32)]] = std::uint64_t;
  constexpr index_t count = 4;
  if (n <= few_blocks) return random_blocks(to, first, k0, k1, n);
  for (index_t i = 0; i < n; i += count) {
    lanes w0 = lanes{0, 2, 1, 3} + (first.w[0] + static_cast<std::uint32_t>(i)), w1 = lanes{} + first.w[1];
    lanes w2 = lanes{} + first.w[2], w3 = lanes{} + first.w[3], key0 = lanes{} + k0, key1 = lanes{} + k1;
    for (int round = 0; round < philox_rounds; ++round) {
      const auto a = reinterpret_cast<lanes>(
          _mm256_mul_epu32(reinterpret_cast<__m256i>(w0), _mm256_set1_epi64x(philox_factors[0])));
      const auto b = reinterpret_cast<lanes>(
          _mm256_mul_epu32(reinterpret_cast<__m256i>(w2), _mm256_set1_epi64x(philox_factors[1])));
      w0 = b >> 32 ^ w1 ^ key0, w1 = b;
      w2 = a >> 32 ^ w3 ^ key1, w3 = a;
      key0 += philox_steps[0], key1 += philox_steps[1];
    }
    const lanes front = (w0 & 0xffffffff) | w1 << 32, back = (w2 & 0xffffffff) | w3 << 32;
    const lanes both[] = {__builtin_shufflevector(front, back, 0, 4, 2, 6),
                          __builtin_shufflevector(front, back, 1, 5, 3, 7)};
    std::memcpy(to.words + 4 * i, both, sizeof both);
  }
}

[[gnu::target("avx512f")]] inline void random_blocks_by_avx512(random_words& to, philox_words first, std::uint32_t k0,
                                                               std::uint32_t k1, index_t n) {
  using lanes [[gnu::vector_size(64)]] = std::uint64_t;
  constexpr index_t count = 8;
  if (n <= few_blocks) return random_blocks(to, first, k0, k1, n);
  for (index_t i = 0; i < n; i += count) {
    lanes w0 = lanes{0, 4, 1, 5, 2, 6, 3, 7} + (first.w[0] + static_cast<std::uint32_t>(i)), w1 = lanes{} + first.w[1];
    lanes w2 = lanes{} + first.w[2], w3 = lanes{} + first.w[3], key0 = lanes{} + k0, key1 = lanes{} + k1;
    for (int round = 0; round < philox_rounds; ++round) {
      const auto a = reinterpret_cast<lanes>(
          _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(w0), _mm512_set1_epi64(philox_factors[0])));
      const auto b = reinterpret_cast<lanes>(
          _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(w2), _mm512_set1_epi64(philox_factors[1])));
      w0 = b >> 32 ^ w1 ^ key0, w1 = b;
      w2 = a >> 32 ^ w3 ^ key1, w3 = a;
      key0 += philox_steps[0], key1 += philox_steps[1];
    }
    const lanes front = (w0 & 0xffffffff) | w1 << 32, back = (w2 & 0xffffffff) | w3 << 32;
    const lanes both[] = {__builtin_shufflevector(front, back, 0, 8, 2, 10, 4, 12, 6, 14),
                          __builtin_shufflevector(front, back, 1, 9, 3, 11, 5, 13, 7, 15)};
    std::memcpy(to.words + 4 * i, both, sizeof both);
  }
}

#endif

/// Returns the fastest of these functions on this machine.
inline auto best_random_blocks() -> random_blocks_function {
#ifdef __x86_64__
  if (instructions_to_use() == instructions::avx512) return random_blocks_by_avx512;
  if (instructions_to_use() == instructions::avx2) return random_blocks_by_avx2;
#endif
  return random_blocks;
}

}  // namespace koila::inline v0::detail
