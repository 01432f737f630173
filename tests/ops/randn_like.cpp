#include "drawn.hpp"

namespace koila::test {

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
      for (const int distance : {1, 2, 3}) CHECK(std::abs((y * y.roll(distance)).mean().item<double>()) < 5 / std::sqrt(2e5));
      CHECK(y.abs().max().item<double>() < 7);
      CHECK(y.abs().max().item<double>() > 3.5);
    }
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct randn_like, shape<batch, 3>, decltype(kernel_size = 1_c)>);
    const at::Tensor integers = at::arange(3);
    refused([&] { randn_like(integers); }, "randn_like: int64[3]: not a floating-point dtype");
  }
}

}  // namespace koila::test
