// SPDX-License-Identifier: MIT
#include "instructions.hpp"
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("randn_like: Box and Muller's, by every set of instructions") {
  const portion where{samples_along(0), 3, (std::uint64_t{5} << 32) + 77};
  for (const auto set : {detail::instructions::baseline, detail::instructions::avx2, detail::instructions::avx512})
    for (const std::int64_t n : {1, 7, 263, 1100}) {
      const ::test::while_set only(detail::most_instructions, set);
      const struct randn_like::attributes a;
      at::Tensor y = at::empty({3, n});
      const at::Tensor* features[] = {&y};
      // The pointer is volatile, so that the compiler cannot inline the kernel here.
      const op_info* volatile drawn_by = &info_of<struct randn_like, 1>();
      drawn_by->operators.draw(y, features, detail::box_attributes<struct randn_like>(a).get(), where);
      double off = 0;
      for (std::int64_t i = 0; i < y.numel(); ++i) {
        const auto position = static_cast<std::uint64_t>(i % n);
        const auto bits =
            detail::random_bits(where.seed, a.call.id, static_cast<std::uint64_t>(3 + i / n), position / 4);
        const auto pair = position % 4 & ~std::uint64_t{1};
        const double radius = std::sqrt(-2 * std::log((bits.w[pair] + 1.0) * 0x1p-32)),
                     angle = bits.w[pair + 1] * 0x1p-31 * M_PI;
        const double want = position % 2 == 0 ? radius * std::cos(angle) : radius * std::sin(angle);
        // The uniform number is rounded to float32. The nearer the number is to 0, the more the
        // rounding changes the radius.
        off = std::max(off, std::abs(detail::data<float>(y)[i] - want) - 0x1p-24 / radius);
      }
      CHECK(off <= 3e-6);
    }
}

TEST_CASE("randn_like") {
  const auto f = [](const auto&... x) { return randn_like(x...); };
  check_drawn(f);
  SECTION("standard normal") {
    for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
      manual_seed(1);
      const at::Tensor y = randn_like(at::empty({400, 500}, type)).to(at::kDouble);
      CHECK(std::abs(y.mean().item<double>()) < 5 / std::sqrt(2e5));
      CHECK(std::abs(y.var().item<double>() - 1) < 5 * std::sqrt(2 / 2e5));
      CHECK(std::abs(y.pow(3).mean().item<double>()) < 5 * std::sqrt(15 / 2e5));
      CHECK(std::abs(y.pow(4).mean().item<double>() - 3) < 5 * std::sqrt(96 / 2e5));
      for (const int distance : {1, 2, 3})
        CHECK(std::abs((y * y.roll(distance)).mean().item<double>()) < 5 / std::sqrt(2e5));
      CHECK(y.abs().max().item<double>() < 7);
      CHECK(y.abs().max().item<double>() > 3.5);
    }
  }
  SECTION("refused") {
    const at::Tensor integers = at::arange(3);
    refused([&] { randn_like(integers); }, "randn_like: int64[3]: not a floating-point dtype");
  }
}

}  // namespace koila::test
