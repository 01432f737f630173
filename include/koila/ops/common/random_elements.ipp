// SPDX-License-Identifier: MIT
#pragma once
// Shared by the kernels of random ops.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/common/instructions.ipp>
#include <koila/ops/common/random_blocks.ipp>
#include <koila/torch/parallel.hpp>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace koila::inline v0::detail {

/// Computes y[i] = words[i] <= last ? kept : 0, for n words.
template <class T>
struct kept_elements {
  static void run(T* y, const std::uint32_t* words, index_t n, std::uint32_t last, T kept) {
    each_of(n, [=](index_t i) {
      const bool is = words[i] <= last;
      // The selection has 32 bits, like the condition. g++ would vectorise a 16-bit selection with
      // vectors of only 8 bytes.
      if constexpr (sizeof(T) == 2) y[i] = static_cast<T>((0U - static_cast<std::uint32_t>(is)) & std::uint32_t{kept});
      else y[i] = is ? kept : T(0);
    });
  }
};

/// Calls f(element, n, counter, skip), in parallel, for runs of n consecutive elements of y.
/// `element` is the first element of the run. Together, the runs contain all elements of y. Each
/// block of random bits is used for `N` elements. One call can generate all blocks of a run.
/// `counter` is the counter of the first block of the run. `skip` is the position of the first
/// element of the run in this block.
template <int N, class F>
void draw_blocks(const at::Tensor& y, const random_identity& call, const portion& where, F f) {
  if (y.numel() == 0) return;
  const sample_positions at(y.sizes().data(), static_cast<int>(y.dim()), where);
  parallel_for(0, y.numel(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const index_t position = at.position(begin), block = position / N;
      const index_t until_next_call = (block / blocks_per_call + 1) * blocks_per_call * N - position;
      const index_t n = std::min(
          {end - begin, at.after - begin % at.after, until_next_call});  // all in one contiguous range of one sample
      f(begin, n,
        random_counter(call.id, static_cast<std::uint64_t>(at.sample(begin)), static_cast<std::uint64_t>(block)),
        position % N);
      begin += n;
    }
  });
}

/// Calls f(element, bits, k) for each element of y. The element is number k of the `N` numbers that
/// are made from the 128 random bits.
template <int N, class F>
void draw_each(const at::Tensor& y, const random_identity& call, const portion& where, F f) {
  const random_blocks_function blocks = best_random_blocks();
  draw_blocks<N>(y, call, where, [&](index_t element, index_t n, const philox_words& first, index_t skip) {
    random_words words;
    blocks(words, first, low_bits(where.seed), high_bits(where.seed), (skip + n + N - 1) / N);
    for (index_t i = 0; i < n; ++i) {
      const std::uint32_t* const w = words.words + 4 * ((skip + i) / N);
      f(element + i, philox_words{{w[0], w[1], w[2], w[3]}}, static_cast<int>((skip + i) % N));
    }
  });
}

/// An event with a given probability, decided by 32 random bits. The event takes place if the bits
/// are at most `last` and `any` is true. `happens` makes exactly the same decision.
struct events {
  std::uint32_t last;
  bool any;

  explicit events(double probability) {
    const double words = std::ceil(probability * 0x1p32 - 0.5);  // how many of the 2^32 words make the event occur
    last = static_cast<std::uint32_t>(std::max(words - 1, 0.0)), any = words >= 1;
  }
};

/// Sets each element of y to `kept` if an event with this probability takes place, else to 0.
template <class T>
void draw_kept(const at::Tensor& y, const random_identity& call, const portion& where, double probability, T kept) {
  using item = std::conditional_t<sizeof(T) == 2, std::uint16_t, T>;  // 16-bit types are written as bits
  const random_blocks_function blocks = best_random_blocks();
  const auto f = functions_of<kept_elements<item>, item*, const std::uint32_t*, index_t, std::uint32_t, item>::best();
  const events kept_words(probability);
  const item number = kept_words.any ? std::bit_cast<item>(kept) : item(0);
  item* const to = static_cast<item*>(y.mutable_data_ptr());
  draw_blocks<4>(y, call, where, [&](index_t element, index_t n, const philox_words& first, index_t skip) {
    random_words words;
    blocks(words, first, low_bits(where.seed), high_bits(where.seed), (skip + n + 3) / 4);
    f(to + element, words.words + skip, n, kept_words.last, number);
  });
}

/// The number of random numbers of type T that are made from 128 bits.
template <class T>
inline constexpr int numbers_in_bits = sizeof(T) == 8 ? 2 : 4;

/// Returns number k of the numbers that are made from these bits. The numbers are uniform in [0,
/// 1), and have as many random bits as T has significant bits.
template <class T>
auto uniform(const philox_words& bits, int k) -> T {
  if constexpr (sizeof(T) == 8) {
    const std::uint64_t word = std::uint64_t{bits.w[2 * k]} << 32 | bits.w[2 * k + 1];
    return static_cast<double>(word >> 11) * 0x1p-53;
  } else {
    constexpr int digits = std::is_same_v<T, float> ? 24 : std::is_same_v<T, at::Half> ? 11 : 8;
    return static_cast<T>(static_cast<float>(bits.w[k] >> (32 - digits)) / static_cast<float>(1 << digits));
  }
}

/// Returns true if an event with this probability takes place. The decision does not depend on the
/// dtype.
inline auto happens(const philox_words& bits, int k, double probability) -> bool {
  return (static_cast<double>(bits.w[k]) + 0.5) * 0x1p-32 < probability;
}

/// Returns number k of the two standard normal numbers that are made from 128 bits (Box and
/// Muller).
inline auto standard_normal(const philox_words& bits, int k) -> double {
  const double u = 1 - uniform<double>(bits, 0), v = uniform<double>(bits, 1);  // u: in (0, 1]
  constexpr double turn = 6.283185307179586476925286766559;
  const double radius = std::sqrt(-2 * std::log(u));
  return k == 0 ? radius * std::cos(turn * v) : radius * std::sin(turn * v);
}

/// The cosine and the sine of an angle.
struct transposed {
  float cosine, sine;
};
/// Returns the cosine and the sine of the angle `part`, which is in units of 2^-32 of a full turn.
/// The polynomials are from Moshier's Cephes library.
[[gnu::always_inline]] inline auto turn_of(std::uint32_t part) -> transposed {
  const std::uint32_t quarter = (part + 0x20000000U) >> 30U;
  const float x = static_cast<float>(static_cast<std::int32_t>(part - (quarter << 30U))) * 1.46291808e-9F, z = x * x;
  const float sine = ((-1.9515295891e-4F * z + 8.3321608736e-3F) * z - 1.6666654611e-1F) * z * x + x;
  const float cosine =
      ((2.443315711809948e-5F * z - 1.388731625493765e-3F) * z + 4.166664568298827e-2F) * z * z + (1 - 0.5F * z);
  const bool odd = (quarter & 1U) != 0;
  return {float_of(bits_of(odd ? sine : cosine) ^ ((quarter + 1U) & 2U) << 30U),
          float_of(bits_of(odd ? cosine : sine) ^ (quarter & 2U) << 30U)};
}
/// Computes two standard normal numbers in float32 from each of n pairs of words (Box and Muller).
struct normal_numbers {
  static void run(float* to, const std::uint32_t* words, index_t n) {
    each_of(n, [=](index_t i) {
      const float u = (static_cast<float>(words[2 * i]) + 1) * 0x1p-32F;  // in (0, 1]
      const float radius = root_of(-2 * log_of(u));
      const transposed v = turn_of(words[2 * i + 1]);
      to[2 * i] = radius * v.cosine;
      to[2 * i + 1] = radius * v.sine;
    });
  }
};

/// Fills y with standard normal numbers.
template <class T>
void draw_normal(const at::Tensor& y, const random_identity& call, const portion& where) {
  T* const to = y.mutable_data_ptr<T>();
  if constexpr (sizeof(T) == 8) {
    draw_each<2>(y, call, where, [=](index_t i, const philox_words& bits, int k) { to[i] = standard_normal(bits, k); });
  } else {
    const random_blocks_function blocks = best_random_blocks();
    const auto f = functions_of<normal_numbers, float*, const std::uint32_t*, index_t>::best();
    draw_blocks<4>(y, call, where, [&](index_t element, index_t n, const philox_words& first, index_t skip) {
      random_words words;
      alignas(64) float numbers[4 * blocks_per_call];
      blocks(words, first, low_bits(where.seed), high_bits(where.seed), (skip + n + 3) / 4);
      f(numbers, words.words, (skip + n + 1) / 2);
      std::transform(numbers + skip, numbers + skip + n, to + element, [](float x) { return static_cast<T>(x); });
    });
  }
}

}  // namespace koila::inline v0::detail
