// Functions of one float32: within two units in the last place of the true value, over the whole range.
#include "pch.hpp"

#include <koila/ops/family/element_math.ipp>

#include <cmath>
#include <limits>

namespace koila::test::element_math {

namespace d = koila::detail;

/// The largest error in units in the last place, over every 1,009th float32 there is. What is infinite or NaN must be so in both.
template <class F, class G>
auto largest_error(F f, G exact) -> double {
  double worst = 0;
  for (std::uint64_t bits = 0; bits < 1ULL << 32U; bits += 1009) {
    const float x = d::float_of(static_cast<std::uint32_t>(bits)), y = f(x);
    const double want = exact(static_cast<double>(x));
    const auto nearest = static_cast<float>(want);
    if (std::isnan(nearest) || std::isinf(nearest) || !std::isfinite(y)) {
      if (std::isnan(nearest) ? !std::isnan(y) : nearest != y) return std::numeric_limits<double>::infinity();
      continue;
    }
    int exponent = 0;
    std::frexp(want, &exponent);
    worst = std::max(worst, std::abs(static_cast<double>(y) - want) / std::ldexp(1.0, std::max(exponent - 24, -149)));
  }
  return worst;
}

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
}

}  // namespace koila::test::element_math
