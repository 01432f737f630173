#include "drawn.hpp"

namespace koila::test {

TEST_CASE("bernoulli_like") {
  for (const int d : {0, 1, 2}) {
    const bound x = some_input({7, 11, 5}, d);
    const at::Tensor y = drawn(bernoulli_like(x.leaf, 0.25), x);
    CHECK((y.eq(0) | y.eq(1)).all().item<bool>());
    CHECK(drawn(bernoulli_like(x.leaf, p = 0), x).eq(0).all().item<bool>());
    CHECK(drawn(bernoulli_like(x.leaf, p = 1), x).eq(1).all().item<bool>());
    CHECK(drawn(bernoulli_like(x.leaf, detail::leading = 2), x).sizes() == at::IntArrayRef({7, 11, 1}));
  }
  for (const double chance : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    manual_seed(4);
    const at::Tensor wide = bernoulli_like(at::empty({300, 300}, at::kDouble), chance);
    CHECK(std::abs(wide.mean().item<double>() - chance) <= 5 * std::sqrt(chance * (1 - chance) / 9e4));
    CHECK(std::abs(((wide - chance) * (wide.roll(1) - chance)).mean().item<double>()) <= 5 * chance * (1 - chance) / 300);
  }
  manual_seed(5);  // the same for every dtype
  const at::Tensor wide = bernoulli_like(at::empty({40, 50}, at::kDouble));
  manual_seed(5);
  CHECK(at::equal(bernoulli_like(at::empty({40, 50}, at::kBFloat16)).to(at::kDouble), wide));
  check([](const auto& x) { return add(x, bernoulli_like(x, 1.0)); }, [](const at::Tensor& x) { return x + 1; },
        per_sample(normal({5, 3}), 1));

  STATIC_REQUIRE(!Accepts<struct bernoulli_like, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  const at::Tensor three = at::ones({3});
  refused([&] { bernoulli_like(three, 1.5); }, "bernoulli_like: [3]: the probability is not in [0, 1]");
  const at::Tensor integers = at::arange(3);
  refused([&] { bernoulli_like(integers); }, "bernoulli_like: int64[3]: not a floating-point dtype");
}

}  // namespace koila::test
