#include "drawn.hpp"

namespace koila::test {

TEST_CASE("randn_like") {
  SECTION("the same for every chunk, whichever dim is the batch, also merged with others") {
    for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16})
      for (const int d : {0, 1, 2}) {
        const bound x = some_input({7, 11, 5}, d, type);
        const at::Tensor y = drawn(randn_like(x.leaf), x);
        CHECK(y.scalar_type() == type);
        CHECK(y.sizes() == x.value.sizes());
        if (type == at::kDouble) CHECK(std::get<0>(at::_unique(y)).numel() == y.numel());  // no number twice
        drawn(randn_like(flatten(x.leaf, 0_c, 1_c)), x);
        drawn(randn_like(flatten(x.leaf, 1_c, 2_c)), x);
        drawn(randn_like(flatten(x.leaf)), x);
      }
    for (const auto& s : some_sizes(1)) {
      const bound x = some_input(s.sizes, s.batch);
      drawn(randn_like(x.leaf), x);
    }
  }
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
  SECTION("two calls are two, a copy is one, a seed repeats") {
    const bound x = some_input({5, 3}, 0);
    const auto a = randn_like(x.leaf), b = randn_like(x.leaf);
    CHECK(drawn(sub(a, a), x).eq(0).all().item<bool>());
    CHECK(drawn(sub(a, b), x).ne(0).all().item<bool>());
    const binding<at::Tensor> bound_x{x.leaf.state, x.value};
    manual_seed(5);
    const at::Tensor first = run(a, bound_x), second = run(a, bound_x);
    CHECK(first.ne(second).all().item<bool>());
    manual_seed(5);
    CHECK(at::equal(run(a, bound_x), first));
    CHECK(at::equal(run(a, bound_x), second));
    manual_seed(6);
    CHECK(run(a, bound_x).ne(first).all().item<bool>());
    manual_seed(5);
    const at::Tensor eager = randn_like(x.value);
    CHECK(randn_like(x.value).ne(eager).all().item<bool>());
    manual_seed(5);
    CHECK(at::equal(randn_like(x.value), eager));
  }
  SECTION("without gradient") {
    check([](const auto& x) { return mul(x, koila::pow(randn_like(x), 0)); }, [](const at::Tensor& x) { return x * 1; },
          per_sample(normal({5, 3}), 1));
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct randn_like, shape<batch, 3>, decltype(kernel_size = 1_c)>);
    const at::Tensor integers = at::arange(3);
    refused([&] { randn_like(integers); }, "randn_like: int64[3]: not a floating-point dtype");
  }
}

}  // namespace koila::test
