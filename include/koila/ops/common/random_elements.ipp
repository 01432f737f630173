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

namespace koila::detail {

/// y[i] = words[i] <= last ? kept : 0, for n words.
template <class T>
struct kept_elements {
  static void run(T* y, const std::uint32_t* words, index_t n, std::uint32_t last, T kept) {
    each_of(n, [=](index_t i) {
      const bool is = words[i] <= last;
      // Selected in 32 bits, as wide as the condition: g++ vectorises a 16-bit selection only in
      // pieces of 8 bytes.
      if constexpr (sizeof(T) == 2) y[i] = static_cast<T>((0U - static_cast<std::uint32_t>(is)) & std::uint32_t{kept});
      else y[i] = is ? kept : T(0);
    });
  }
};

/// Calls f(element, n, counter, skip) for runs of n elements that cover all elements of y. The
/// elements of a run are in blocks that are generated together, of `N` elements each. `counter` is
/// that of the first of these blocks, and `skip` the position of the first element in it.
template <int N, class F>
void draw_blocks(const at::Tensor& y, const random_identity& call, const portion& where, F f) {
  if (y.numel() == 0) return;
  const sample_positions at(y.sizes().data(), static_cast<int>(y.dim()), where);
  parallel_for(0, y.numel(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const index_t position = at.position(begin), block = position / N;
      const index_t until_next_call = (block / blocks_per_call + 1) * blocks_per_call * N - position;
      const index_t n = std::min(
          {end - begin, at.after - begin % at.after, until_next_call});  // of this sample's contiguous positions
      f(begin, n,
        random_counter(call.id, static_cast<std::uint64_t>(at.sample(begin)), static_cast<std::uint64_t>(block)),
        position % N);
      begin += n;
    }
  });
}

/// Calls f(element, random bits, k) for each element of y, which is number k of the `N` numbers in
/// these bits.
template <int N, class F>
void draw_each(const at::Tensor& y, const random_identity& call, const portion& where, F f) {
  const random_blocks_function blocks = best_random_blocks();
  draw_blocks<N>(y, call, where, [&](index_t element, index_t n, const philox_words& first, index_t skip) {
    random_words words;
    blocks(words, first, low_bits(where.seed), high_bits(where.seed), (skip + n + N - 1) / N);
    for (index_t i = 0; i < n; ++i) {
      const std::uint32_t* const w = words.of + 4 * ((skip + i) / N);
      f(element + i, philox_words{{w[0], w[1], w[2], w[3]}}, static_cast<int>((skip + i) % N));
    }
  });
}

/// An event of some probability, decided by 32 random bits: it takes place if they are at most
/// `last` and `any` is true. `happens` decides exactly the same.
struct events {
  std::uint32_t last;
  bool any;

  explicit events(double probability) {
    const double words = std::ceil(probability * 0x1p32 - 0.5);  // out of 2^32
    last = static_cast<std::uint32_t>(std::max(words - 1, 0.0)), any = words >= 1;
  }
};

/// y = `kept` where an event of this probability takes place, else 0.
template <class T>
void draw_kept(const at::Tensor& y, const random_identity& call, const portion& where, double probability, T kept) {
  using item = std::conditional_t<sizeof(T) == 2, std::uint16_t, T>;  // for 16-bit types, their bits
  const random_blocks_function blocks = best_random_blocks();
  const auto f = functions_of<kept_elements<item>, item*, const std::uint32_t*, index_t, std::uint32_t, item>::best();
  const events kept_words(probability);
  const item number = kept_words.any ? std::bit_cast<item>(kept) : item(0);
  item* const to = static_cast<item*>(y.mutable_data_ptr());
  draw_blocks<4>(y, call, where, [&](index_t element, index_t n, const philox_words& first, index_t skip) {
    random_words words;
    blocks(words, first, low_bits(where.seed), high_bits(where.seed), (skip + n + 3) / 4);
    f(to + element, words.of + skip, n, kept_words.last, number);
  });
}

/// How many numbers of a type are made from 128 bits.
template <class T>
inline constexpr int numbers_in_bits = sizeof(T) == 8 ? 2 : 4;

/// Number k of these bits, in [0, 1), with as many bits as the type's precision.
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

/// Returns true if an event of this probability takes place. The answer is the same for every
/// dtype.
inline auto happens(const philox_words& bits, int k, double probability) -> bool {
  return (static_cast<double>(bits.w[k]) + 0.5) * 0x1p-32 < probability;
}

/// Number k of the two standard normal numbers that 128 bits give (Box and Muller).
inline auto standard_normal(const philox_words& bits, int k) -> double {
  const double u = 1 - uniform<double>(bits, 0), v = uniform<double>(bits, 1);  // u: in (0, 1]
  constexpr double turn = 6.283185307179586476925286766559;
  const double radius = std::sqrt(-2 * std::log(u));
  return k == 0 ? radius * std::cos(turn * v) : radius * std::sin(turn * v);
}

/// The cosine and the sine of a part of a full turn, in units of 2^-32. The polynomials are those
/// of Moshier's Cephes library.
struct transposed {
  float cosine, sine;
};
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
/// Two standard normal numbers in float32 from each pair of words, for n pairs (Box and Muller).
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
      f(numbers, words.of, (skip + n + 1) / 2);
      std::transform(numbers + skip, numbers + skip + n, to + element, [](float x) { return static_cast<T>(x); });
    });
  }
}

}  // namespace koila::detail
