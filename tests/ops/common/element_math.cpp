// SPDX-License-Identifier: MIT
// Functions of one float32 number are within two units in the last place of the true value, over
// the whole range and with every instruction set.
#include "pch.hpp"

#include <koila/ops/common/element_math.hpp>
#include <koila/ops/common/instructions.ipp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "instructions.hpp"

namespace koila::test::element_math {

namespace d = koila::detail;
using d::instructions;
using ::test::while_set;

template <class F>
struct each {
  [[gnu::always_inline]] static inline void run(float* y, const float* x, index_t n) {
    d::each_of(n, [=](index_t i) { y[i] = F{}(x[i]); });
  }
};

/// Returns the error in units in the last place. If one of the results is infinite or NaN, the
/// other must be the same.
auto error_of(float y, double want) -> double {
  const auto nearest = static_cast<float>(want);
  if (std::isnan(nearest) || std::isinf(nearest) || !std::isfinite(y)) {
    const bool same = std::isnan(nearest) ? std::isnan(y) : nearest == y;
    return same ? 0 : std::numeric_limits<double>::infinity();
  }
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(want) >> 52U) & 0x7ffU;  // faster than frexp
  const double one = std::bit_cast<double>((std::max<std::uint64_t>(exponent, 1023 - 126) - 23) << 52U);
  return std::abs(static_cast<double>(y) - want) / one;
}

/// Returns the largest error over every 1,009th float32. If KOILA_EVERY_FLOAT is in the
/// environment, tests all float32 numbers, which takes an hour.
template <class F, class G>
auto largest_error(F, G exact) -> double {
  constexpr index_t n = 1024;
  static const std::uint64_t step = std::getenv("KOILA_EVERY_FLOAT") != nullptr ? 1 : 1009;
  std::array<float, n> x{}, y{};
  std::array<double, n> want{};
  double worst = 0;
  for (std::uint64_t bits = 0; bits < 1ULL << 32U;) {
    for (float& v : x)
      v = d::float_of(static_cast<std::uint32_t>(bits)), bits += step;  // at the end, repeats the first numbers
    for (std::size_t i = 0; i < x.size(); ++i) want[i] = exact(static_cast<double>(x[i]));
    for (const auto most : {instructions::baseline, instructions::avx2, instructions::avx512}) {
      const while_set set(d::most_instructions, most);
      if (d::instructions_to_use() != most) continue;  // this machine lacks the instruction set
      d::functions_of<each<F>, float*, const float*, index_t>::best()(y.data(), x.data(), n);
      for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, error_of(y[i], want[i]));
    }
  }
  return worst;
}

/// Limits x to the domain of exp_of_minus.
template <class T>
[[gnu::always_inline]] inline auto within_range(T x) -> T {
  return x >= 0 && x < 87 ? x : 0;
}
/// The same formula as gelu::element.
[[gnu::always_inline]] inline auto gelu_of(float x) -> float { return 0.5F * x * (1 + d::erf_of(x * 0.707106781F)); }
auto exact_gelu(double x) -> double { return 0.5 * x * std::erfc(-x * std::sqrt(0.5)); }

TEST_CASE("element math is exact to two units in the last place") {
  CHECK(largest_error([](float x) { return d::exp_of(x); }, [](double x) { return std::exp(x); }) <= 2);
  CHECK(largest_error([](float x) { return d::tanh_of(x); }, [](double x) { return std::tanh(x); }) <= 2);
  CHECK(largest_error([](float x) { return d::erf_of(x); }, [](double x) { return std::erf(x); }) <= 2);
  CHECK(largest_error([](float x) { return d::log_of(x); }, [](double x) { return std::log(x); }) <= 2);
  CHECK(largest_error([](float x) { return d::expm1_of(x); }, [](double x) { return std::expm1(x); }) <= 2);
  CHECK(largest_error([](float x) { return d::log1p_of(x); }, [](double x) { return std::log1p(x); }) <= 2);
  CHECK(largest_error([](float x) { return d::softplus_of(x < 88 ? x : 0); },
                      [](double x) { return std::log1p(std::exp(x < 88 ? x : 0)); }) <= 2);
  CHECK(largest_error([](float x) { return d::sigmoid_of(x); },
                      [](double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }) <= 2);
  CHECK(largest_error([](float x) { return d::silu_of(x); },
                      [](double x) { return x < -1e30 ? -0.0 : x / (1 + std::exp(-x)); }) <= 2);
  // mish is x times a quotient of two exponentials, which adds two roundings. Below -87 the
  // exponential is subnormal and has fewer bits, so the bound there is absolute.
  CHECK(largest_error([](float x) { return mish.element(x > -87 ? x : -87); },
                      [](double x) {
                        const double a = x > -87 ? x : -87, e = std::exp(std::min(a, 700.0)), n = e * (e + 2);
                        return a > 300 ? a : a * (n / (n + 2));
                      }) <= 4);
  for (float x = -87; x > -110; x -= 0.01F) {
    CAPTURE(x);
    CHECK(std::abs(mish.element(x) - x * std::exp(double{x})) <= -x * 0x1p-148);
  }
  CHECK(largest_error([](float x) { return d::exp_of_minus(within_range(x)); },
                      [](double x) { return std::exp(-within_range(x)); }) <= 2);
}

// The definition of gelu, which LibTorch also uses, contains 1 + erf(x / sqrt(2)). In float32, this
// sum loses its last digits for negative x, and is 0 for x below about -5.7.
TEST_CASE("element math: gelu to two units in the last place where x is positive, to two of x elsewhere") {
  CHECK(largest_error([](float x) { return gelu_of(d::magnitude(x)); },
                      [](double x) { return exact_gelu(std::abs(x)); }) <= 2);
  double worst = 0;
  for (float x = -30; x < 0; x += 1e-4F) {
    int exponent = 0;
    std::frexp(x, &exponent);
    worst = std::max(worst, std::abs(static_cast<double>(gelu_of(x)) - exact_gelu(x)) / std::ldexp(1.0, exponent - 24));
  }
  CHECK(worst <= 2);
}

TEST_CASE("element math: the slope of gelu to a unit in the last place of 1, which it goes up to") {
  constexpr index_t n = 1000;
  std::array<float, n> x{}, y{};
  const auto exact = [](double v) {
    return 0.5 * std::erfc(-v * std::sqrt(0.5)) + v * std::exp(-0.5 * v * v) / std::sqrt(2 * std::acos(-1.0));
  };
  const auto slope = [](float v) { return d::slope_of_gelu(v); };
  for (const auto most : {instructions::baseline, instructions::avx2, instructions::avx512}) {
    const while_set set(d::most_instructions, most);
    double worst = 0;
    for (int part = -800; part < 800; ++part) {
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<float>(part + 1e-3 * static_cast<double>(i)) * 0.02F;
      d::functions_of<each<decltype(slope)>, float*, const float*, index_t>::best()(y.data(), x.data(), n);
      for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(y[i] - exact(x[i])));
    }
    CHECK(worst < 1.5e-7);
    const float far[] = {-14.0F, -1e30F, -std::numeric_limits<float>::infinity()};
    for (const float v : far) CHECK((d::slope_of_gelu(v) == 0 && d::slope_of_gelu(-v) == 1));
    CHECK(std::isnan(d::slope_of_gelu(std::numeric_limits<float>::quiet_NaN())));
  }
}

TEST_CASE("element math where a function ends") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float x : {9.0F, 9.02F, 20.0F, infinity}) {
    CHECK(d::tanh_of(x) == 1.0F);
    CHECK(d::tanh_of(-x) == -1.0F);
  }
  CHECK(d::erf_of(infinity) == 1.0F);
  CHECK(d::erf_of(-infinity) == -1.0F);
  CHECK(d::sigmoid_of(infinity) == 1.0F);
  CHECK(d::sigmoid_of(-infinity) == 0.0F);
  CHECK(d::sigmoid_of(0.0F) == 0.5F);
  CHECK(d::exp_of(0.0F) == 1.0F);
  for (const float x : {0.0F, 1e-45F, 1e-38F}) {
    CHECK(d::bits_of(d::tanh_of(x)) == d::bits_of(x));
    CHECK(d::bits_of(d::tanh_of(-x)) == d::bits_of(-x));
    CHECK(std::signbit(d::erf_of(-x)));
  }
}

}  // namespace koila::test::element_math
