#pragma once
// Functions of one number that compilers vectorise: no calls, no branches, no tables. Polynomials of Moshier's Cephes library; that of erf
// is Juffa's.
#include <cstdint>

namespace koila::detail {

[[gnu::always_inline]] inline auto bits_of(float x) -> std::uint32_t { return __builtin_bit_cast(std::uint32_t, x); }
[[gnu::always_inline]] inline auto float_of(std::uint32_t bits) -> float { return __builtin_bit_cast(float, bits); }
[[gnu::always_inline]] inline auto magnitude(float x) -> float { return float_of(bits_of(x) & 0x7fffffffU); }
[[gnu::always_inline]] inline auto magnitude(double x) -> double {
  return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, x) & 0x7fffffffffffffffULL);
}
[[gnu::always_inline]] inline auto root_of(float x) -> float { return __builtin_sqrtf(x); }
[[gnu::always_inline]] inline auto root_of(double x) -> double { return __builtin_sqrt(x); }
[[gnu::always_inline]] inline auto with_sign_of(float x, float sign) -> float {
  return float_of((bits_of(x) & 0x7fffffffU) | (bits_of(sign) & 0x80000000U));
}
/// x, which is not computed with what it is part of: -ffast-math would fold x + c - c away.
[[gnu::always_inline]] inline auto as_written(float x) -> float {
#ifdef __clang__
  return __arithmetic_fence(x);
#else
  return __builtin_assoc_barrier(x);
#endif
}

/// exp(x) = of_r 2^k for x from -104 to 89, where of_r = exp(r) and r is within ln 2 / 2 of 0. `k` is in the last bits of `rounded`.
struct reduced_exp {
  float of_r, rounded, less_one;  // less_one: exp(r) - 1
  /// 2^k, k from -126 to 127.
  [[gnu::always_inline]] auto power() const -> float { return float_of((bits_of(rounded) << 23U) + 0x3f800000U); }
  /// y 2^k in two steps, so that the result may be subnormal.
  [[gnu::always_inline]] auto scaled() const -> float {
    const std::int32_t k = static_cast<std::int32_t>(bits_of(rounded) << 8U) >> 8;  // 2^22 more than it is
    const std::int32_t half = (k - 0x400000) >> 1, rest = k - 0x400000 - half;
    return as_written(of_r * float_of(static_cast<std::uint32_t>(half + 127) << 23U)) *
           float_of(static_cast<std::uint32_t>(rest + 127) << 23U);
  }
};
[[gnu::always_inline]] inline auto reduce_exp(float x) -> reduced_exp {
  constexpr float to_integer = 12582912.0F;  // 1.5 2^23: a sum with it has no fraction
  const float rounded = as_written(x * 1.44269504F + to_integer), n = rounded - to_integer;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  const float less_one = p * (r * r) + r;
  return {less_one + 1.0F, rounded, less_one};
}

/// exp(x). Results below the smallest normal number are subnormal, as they should be.
[[gnu::always_inline]] inline auto exp_of(float x) -> float {
  const float low = x > -104.0F ? x : -104.0F;
  const float y = reduce_exp(low < 89.0F ? low : 89.0F).scaled();
  return x == x ? y : x;
}

/// exp(-x) for x from 0 on, 1e-38 where it is less; NaN where x is.
[[gnu::always_inline]] inline auto exp_of_minus(float x) -> float {
  const reduced_exp e = reduce_exp(-(x > 87.0F ? 87.0F : x));
  return e.of_r * e.power();
}

/// exp(x) - 1, which near 0 is of more bits than exp(x) has.
[[gnu::always_inline]] inline auto expm1_of(float x) -> float {
  const float low = x > -20.0F ? x : -20.0F;  // from there on it is -1
  const reduced_exp e = reduce_exp(low < 89.0F ? low : 89.0F);
  const float s = float_of((bits_of(e.rounded) << 23U) + 0x3f000000U);  // half of 2^k, which may be 2^128
  const float y = 2.0F * (e.less_one * s + (s - 0.5F));
  return x == x ? y : x;
}

/// tanh(x): a polynomial up to 0.625, then 1 - 2 exp(-2 x) / (1 + exp(-2 x)).
[[gnu::always_inline]] inline auto tanh_of(float x) -> float {
  const float a = magnitude(x), z = x * x;
  float p = -5.70498872745e-3F;
  p = p * z + 2.06390887954e-2F;
  p = p * z - 5.37397155531e-2F;
  p = p * z + 1.33314422036e-1F;
  p = p * z - 3.33332819422e-1F;
  const float near = p * z * x + x;
  const float e = exp_of_minus(a + a);
  const float far = with_sign_of(1.0F - 2.0F * e / (1.0F + e), x);
  return a >= 0.625F ? far : near;  // NaN is near
}

/// 1 / (1 + exp(-x)), as exact for negative x as for others.
[[gnu::always_inline]] inline auto sigmoid_of(float x) -> float {
  const float a = magnitude(x), e = reduce_exp(-(a < 104.0F ? a : 104.0F)).scaled();
  const float q = (x < 0.0F ? e : 1.0F) / (1.0F + e);
  const float y = x < 0.0F ? e - e * q : q;  // e / (1 + e), less of whose rounding counts
  return x == x ? y : x;
}

/// The error function: a polynomial up to 0.93, then 1 - exp of one.
[[gnu::always_inline]] inline auto erf_of(float x) -> float {
  const float a = magnitude(x) > 4.0F ? 4.0F : magnitude(x), z = a * a;
  float p = -5.96761703e-4F;
  p = p * z + 4.99119423e-3F;
  p = p * z - 2.67681349e-2F;
  p = p * z + 1.12819925e-1F;
  p = p * z - 3.76125336e-1F;
  p = p * z + 1.28379166e-1F;
  float q = (-1.72853470e-5F * a + 3.83197126e-4F) * z + (-3.88396438e-3F * a + 2.42546219e-2F);
  q = q * a - 1.06777877e-1F;
  q = q * a - 6.34846687e-1F;
  q = q * a - 1.28717512e-1F;
  q = q * a - a;
  return a > 0.927734375F ? with_sign_of(1.0F - exp_of_minus(-q), x) : p * x + x;  // NaN is the second
}

/// The natural logarithm.
[[gnu::always_inline]] inline auto log_of(float x) -> float {
  const bool small = x < 1.17549435e-38F;
  const float scaled = small ? x * 8388608.0F : x;  // 2^23: subnormal numbers become normal
  const std::uint32_t bits = bits_of(scaled) - 0x3f3504f3U;  // of the root of 1/2: the fraction is from there to the root of 2
  auto k = static_cast<float>(static_cast<std::int32_t>(bits) >> 23);
  k = small ? k - 23.0F : k;
  const float m = float_of((bits & 0x007fffffU) + 0x3f3504f3U) - 1.0F, z = m * m;
  float p = 7.0376836292e-2F;
  p = p * m - 1.1514610310e-1F;
  p = p * m + 1.1676998740e-1F;
  p = p * m - 1.2420140846e-1F;
  p = p * m + 1.4249322787e-1F;
  p = p * m - 1.6668057665e-1F;
  p = p * m + 2.0000714765e-1F;
  p = p * m - 2.4999993993e-1F;
  p = p * m + 3.3333331174e-1F;
  float y = p * m * z - k * 2.12194440e-4F - 0.5F * z;
  y = (y + m) + k * 0.693359375F;
  constexpr float infinity = __builtin_inff();
  y = x == infinity ? infinity : y;
  y = x == 0.0F ? -infinity : y;
  return x >= 0.0F ? y : __builtin_nanf("");
}

/// log(1 + x): of the sum as it is rounded, and of what that loses.
[[gnu::always_inline]] inline auto log1p_of(float x) -> float {
  const float sum = as_written(1.0F + x), lost = x - as_written(sum - 1.0F);
  const float whole = log_of(sum), y = whole + lost / sum;
  const float finite = sum < __builtin_inff() ? y : whole;
  return sum > 0.0F ? finite : whole;
}

/// log(1 + exp(x)) where x is not so large that it is x.
[[gnu::always_inline]] inline auto softplus_of(float x) -> float { return log1p_of(exp_of(x)); }

}  // namespace koila::detail
