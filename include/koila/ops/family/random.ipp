#pragma once
// What the kernels of random ops share.
#include <koila/ops/family/floating.ipp>
#include <koila/ops/family/random.hpp>

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <cmath>

namespace koila::detail {

/// Calls f(element, random bits, which of the `N` numbers in them) for every element of y.
template <int N, class F>
void draw_each(const at::Tensor& y, const random_identity& call, const portion& where, F f) {
  if (y.numel() == 0) return;
  const sample_positions at(y.sizes().data(), static_cast<int>(y.dim()), where);
  at::parallel_for(0, y.numel(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const index_t last = std::min(end, (begin / at.after + 1) * at.after);  // of this sample's run of positions
      const auto sample = static_cast<std::uint64_t>(at.sample(begin));
      philox_words bits{};
      for (index_t position = at.position(begin), fresh = position; begin < last; ++begin, ++position) {
        if (position == fresh) bits = random_bits(where.seed, call.id, sample, static_cast<std::uint64_t>(position / N));
        fresh = (position / N + 1) * N;
        f(begin, bits, static_cast<int>(position % N));
      }
    }
  });
}

/// Of the numbers of a type, how many are made of 128 bits.
template <class T>
inline constexpr int numbers_in_bits = sizeof(T) == 8 ? 2 : 4;

/// Bits as a number in [0, 1), as many of them as the type is exact to.
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

/// Whether an event of this probability takes place; the same for every type.
inline auto happens(const philox_words& bits, int k, double probability) -> bool {
  return (static_cast<double>(bits.w[k]) + 0.5) * 0x1p-32 < probability;
}

/// A standard normal number (Box and Muller).
template <class T>
auto standard_normal(const philox_words& bits, int k) -> T {
  double u = 0, v = 0;  // in (0, 1]
  if constexpr (sizeof(T) == 8) {
    u = 1 - uniform<double>(bits, 0);
    v = uniform<double>(bits, 1);
  } else {
    const int pair = k & ~1;
    u = (static_cast<double>(bits.w[pair]) + 1) * 0x1p-32;
    v = static_cast<double>(bits.w[pair + 1]) * 0x1p-32;
  }
  constexpr double turn = 6.283185307179586476925286766559;
  const double radius = std::sqrt(-2 * std::log(u));
  return rounded<T>((k & 1) == 0 ? radius * std::cos(turn * v) : radius * std::sin(turn * v));
}

}  // namespace koila::detail
