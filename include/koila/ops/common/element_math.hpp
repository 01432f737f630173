// SPDX-License-Identifier: MIT
#pragma once
// Functions of one number that compilers can vectorise, because the functions have no calls,
// branches or tables. exp, tanh, sigmoid and erf use a single formula for all arguments, so that
// no result is computed and then discarded. The polynomials of these four functions minimise the
// largest error in units in the last place (least squares in float64, reweighted 300 times). All
// other polynomials are from Moshier's Cephes library, except that of slope_of_gelu.
#include <cstdint>

namespace koila::inline v0::detail {

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
/// Returns a if `first` is true, else b. The selection works on the bits of a and b. Compilers turn
/// any other selection of floats into a branch if comparisons may trap.
[[gnu::always_inline]] inline auto choose(bool first, float a, float b) -> float {
  const std::uint32_t of_a = 0U - static_cast<std::uint32_t>(first);
  return float_of((bits_of(a) & of_a) | (bits_of(b) & ~of_a));
}
[[gnu::always_inline]] inline auto choose(bool first, double a, double b) -> double {
  return first ? a : b;  // a selection by bits is not vectorised with baseline instructions
}
/// Returns x unchanged. The compiler must not reassociate x with the surrounding expression. In
/// particular, as_written(x + c) - c must not become x.
[[gnu::always_inline]] inline auto as_written(float x) -> float {
#ifdef __clang__
  return __arithmetic_fence(x);
#else
  return __builtin_assoc_barrier(x);
#endif
}

/// exp(x) = of_r * 2^k for x in [-104, 89], where of_r = exp(r) and |r| <= ln 2 / 2. The last bits
/// of `rounded` hold k.
struct reduced_exp {
  float of_r, rounded, less_one;  // less_one is exp(r) - 1
  /// Returns 2^k for k in [-126, 127].
  [[gnu::always_inline]] auto power() const -> float { return float_of((bits_of(rounded) << 23U) + 0x3f800000U); }
};
[[gnu::always_inline]] inline auto reduce_exp(float x) -> reduced_exp {
  constexpr float to_integer = 12582912.0F;  // 1.5 * 2^23: adding this rounds to an integer
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

/// Returns a float whose last nine bits are `Exponent` plus the integer nearest to x * scale.
/// Shifting these bits left by 23 moves them to the exponent of a float.
template <int Exponent>
[[gnu::always_inline]] inline auto rounded_of(float x, float scale) -> float {
  return as_written(x * scale + (12582912.0F + Exponent));
}
template <int Exponent>
[[gnu::always_inline]] inline auto integer_of(float rounded) -> float {
  return rounded - (12582912.0F + Exponent);
}
[[gnu::always_inline]] inline auto power_of(float rounded) -> float { return float_of(bits_of(rounded) << 23U); }

/// Returns (exp(r) - 1) / r for |r| <= ln 2 / 2.
[[gnu::always_inline]] inline auto slope_of_exp(float r) -> float {
  float p = 1.384346629e-3F;
  p = p * r + 8.374316618e-3F;
  p = p * r + 4.166801274e-2F;
  p = p * r + 1.666642874e-1F;
  p = p * r + 4.999999404e-1F;
  return p * r + 1.0F;
}

/// Returns exp(x) = exp(r) * 2^k. The factor 2^k is applied as two factors, so that results below
/// the smallest normal number are subnormal.
[[gnu::always_inline]] inline auto exp_of(float x) -> float {
  const float low = choose(x < -104.0F, -104.0F, x), a = choose(low > 89.0F, 89.0F, low);  // NaN stays
  const float rounded = rounded_of<254>(a, 1.44269504F), k = integer_of<254>(rounded);
  const float r = (a - k * 0.693359375F) + k * 2.12194440e-4F, y = slope_of_exp(r) * r + 1.0F;
  const std::uint32_t both = bits_of(rounded) << 23U, half = (both >> 1U) & 0x7f800000U;
  return as_written(y * float_of(half)) * float_of(both - half);
}

/// Returns exp(-x) for x >= 0. The result is at least about 1e-38, or NaN if x is NaN.
[[gnu::always_inline]] inline auto exp_of_minus(float x) -> float {
  const reduced_exp e = reduce_exp(-choose(x > 87.0F, 87.0F, x));
  return e.of_r * e.power();
}

/// Returns exp(x) - 1. Near 0 the result has more correct bits than exp_of(x) - 1.
[[gnu::always_inline]] inline auto expm1_of(float x) -> float {
  const float low = choose(x > -20.0F, x, -20.0F);  // below -20 the result is -1
  const reduced_exp e = reduce_exp(choose(low < 89.0F, low, 89.0F));
  const float s = float_of((bits_of(e.rounded) << 23U) + 0x3f000000U);  // 2^(k - 1), because 2^128 is infinite
  const float y = 2.0F * (e.less_one * s + (s - 0.5F));
  return choose(x == x, y, x);
}

/// Returns tanh(x), computed as (1 - exp(-2 * a)) / (1 + exp(-2 * a)) with the sign of x, where a =
/// |x|. If a is small, the numerator is small, too, and has the same relative precision as a.
/// Numerator and denominator are halved, because half of exp(2 * r) - 1 is close to r.
[[gnu::always_inline]] inline auto tanh_of(float x) -> float {
  const float m = magnitude(x), a = choose(m > 9.02F, 9.02F, m);  // above 9.02 the result is 1
  const float rounded = rounded_of<127>(a, -2.88539008F), s = power_of(rounded);
  const float r = -0.34657359F * integer_of<127>(rounded) - a;
  float p = 4.442399368e-2F;
  p = p * r + 1.338663548e-1F;
  p = p * r + 3.333376348e-1F;
  p = p * r + 6.666616797e-1F;
  p = p * r + 9.999999404e-1F;
  const float h = p * (r * r) + r, half = 0.5F * s;
  return with_sign_of(((0.5F - half) - h * s) / ((0.5F + half) + h * s), x);
}

/// Returns 2^-32 * (1 + exp(-x)) for x >= -110. For x >= 60 the result is 2^-32. Without the factor
/// 2^-32, exp(-x) would be infinite where 1 / (1 + exp(-x)) is subnormal. NaN stays NaN.
[[gnu::always_inline]] inline auto one_and_exp_of_minus(float x) -> float {
  const float a = choose(x > 60.0F, 60.0F, x);
  const float rounded = rounded_of<127 - 32>(a, -1.44269504F), k = integer_of<127 - 32>(rounded), s = power_of(rounded);
  const float r = k * 2.12194440e-4F - (a + k * 0.693359375F);
  return (slope_of_exp(r) * (r * s) + 0x1p-32F) + s;
}
/// Returns 1 / (1 + exp(-x)).
[[gnu::always_inline]] inline auto sigmoid_of(float x) -> float {
  return 0x1p-32F / one_and_exp_of_minus(choose(x < -104.0F, -104.0F, x));
}
/// Returns x / (1 + exp(-x)), with one rounding less than x * sigmoid_of(x). The result for
/// -infinity is -0, as for all very negative numbers.
[[gnu::always_inline]] inline auto silu_of(float x) -> float {
  const float low = choose(x < -110.0F, -110.0F, x), y = (low * 0x1p-32F) / one_and_exp_of_minus(low);
  return choose(magnitude(x) < 1e-18F, 0.5F * x, y);  // because x * 2^-32 would be 0
}

/// Returns the error function of x, computed as 1 - exp(-w) with the sign of x, where w is a
/// polynomial in |x|. exp(-w) is computed from exp(r) - 1, which is close to r.
[[gnu::always_inline]] inline auto erf_of(float x) -> float {
  const float m = magnitude(x), a = choose(m > 4.0F, 4.0F, m);  // above 4 the result is 1
  float g = -9.192136531e-6F;
  g = g * a + 1.171195108e-4F;
  g = g * a - 6.312103360e-4F;
  g = g * a + 1.664581243e-3F;
  g = g * a - 1.585568971e-4F;
  g = g * a - 1.915372349e-2F;
  g = g * a + 1.027779430e-1F;
  g = g * a + 6.366193891e-1F;
  g = g * a + 1.283791661e-1F;
  const float w = g * a + a, rounded = rounded_of<127>(w, -1.44269504F), s = power_of(rounded);
  const float r = -0.693147181F * integer_of<127>(rounded) - w;
  float p = 1.984589326e-4F;
  p = p * r + 1.394082326e-3F;
  p = p * r + 8.333389647e-3F;
  p = p * r + 4.166635871e-2F;
  p = p * r + 1.666666567e-1F;
  p = p * r + 0.5F;
  const float h = p * (r * r) + r;
  return with_sign_of((1.0F - s) - h * s, x);
}

/// Returns the derivative of gelu, n(x) + x * n'(x), where n is the standard normal distribution
/// function. Let a = |x| and d(a) = a - (1 - n(a)) / n'(a). The derivative is 1 + n'(a) * d(a) at
/// a, and -n'(a) * d(a) at -a. A polynomial approximates d. The polynomial may have a larger error
/// where n'(a) is small, because d is multiplied by n'(a).
[[gnu::always_inline]] inline auto slope_of_gelu(float x) -> float {
  const float m = magnitude(x), a = choose(m > 5.6F, 5.6F, m);
  float d = 7.909690680e-7F;
  d = d * a - 1.932345731e-5F;
  d = d * a + 2.124930324e-4F;
  d = d * a - 1.412886078e-3F;
  d = d * a + 6.492449436e-3F;
  d = d * a - 2.256940864e-2F;
  d = d * a + 6.384851784e-2F;
  d = d * a - 1.552203894e-1F;
  d = d * a + 3.328948021e-1F;
  d = d * a - 6.265883446e-1F;
  d = d * a + 1.999995828F;
  d = d * a - 1.253314137F;
  const float s = d * (exp_of_minus(0.5F * m * m) * 0.398942280F), y = choose(m > 13.0F, 0.0F, s);
  return choose(x < 0.0F, -y, 1.0F + y);
}

/// Returns the natural logarithm of x.
[[gnu::always_inline]] inline auto log_of(float x) -> float {
  const bool small = x < 1.17549435e-38F;
  const float scaled = choose(small, x * 8388608.0F, x);  // 2^23: subnormal numbers become normal
  const std::uint32_t bits =
      bits_of(scaled) - 0x3f3504f3U;  // bits of sqrt(1/2): the fraction is in [sqrt(1/2), sqrt(2))
  auto k = static_cast<float>(static_cast<std::int32_t>(bits) >> 23);
  k = choose(small, k - 23.0F, k);
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
  y = choose(x == infinity, infinity, y);
  y = choose(x == 0.0F, -infinity, y);
  return choose(x >= 0.0F, y, __builtin_nanf(""));
}

/// Returns log(1 + x), computed as the logarithm of the rounded sum 1 + x and corrected by the
/// rounding error of the sum.
[[gnu::always_inline]] inline auto log1p_of(float x) -> float {
  const float sum = as_written(1.0F + x), lost = x - as_written(sum - 1.0F);
  const float whole = log_of(sum), y = whole + lost / sum;
  const float finite = choose(sum < __builtin_inff(), y, whole);
  return choose(sum > 0.0F, finite, whole);
}

/// Returns log(1 + exp(x)). The result is infinite if exp(x) overflows. The polynomial of the
/// exponential has one term more than the polynomial of exp_of, because the errors of exp and log
/// add up. exp(x) is exp(r) * 2^k; the factor 2^k is applied as two factors, so that subnormal
/// numbers are exact.
[[gnu::always_inline]] inline auto softplus_of(float x) -> float {
  const float low = choose(x < -104.0F, -104.0F, x);  // NaN stays
  const reduced_exp e = reduce_exp(choose(low > 89.0F, 89.0F, low));
  const std::uint32_t both = (bits_of(e.rounded) + 254U) << 23U, half = (both >> 1U) & 0x7f800000U;
  return log1p_of(as_written(e.of_r * float_of(half)) * float_of(both - half));
}

}  // namespace koila::inline v0::detail
