#include "drawn.hpp"

namespace koila::test {

TEST_CASE("dropout2d") {
  SECTION("whole channels of each sample") {
    for (int d = 0; d < 4; ++d) {
      const bound x = some_input({7, 5, 3, 2}, d);
      const auto y = let(dropout2d(x.leaf, p = 0.25));
      const at::Tensor value = drawn(y, x), kept = value.ne(0).flatten(2);  // (7, 5, rest)
      CHECK(kept.eq(kept.narrow(2, 0, 1)).all().item<bool>());
      CHECK(kept.any().item<bool>());
      CHECK(kept.logical_not().any().item<bool>());
      same(value, x.value * value.ne(0) / 0.75);
      same(drawn(gradient(sum(y), x.leaf), x), value.ne(0).to(at::kDouble) / 0.75);
    }
  }
  SECTION("none and all dropped, inference") {
    const operand x = per_sample(normal({7, 5, 3, 2}));
    check([](const auto& x) { return dropout2d(x, 0.0); }, [](const at::Tensor& x) { return x * 1; }, x);
    check([](const auto& x) { return dropout2d(x, p = 1); },
          [](const at::Tensor& x) { return at::feature_dropout(x, 1, true); }, x);
    check([](const auto& x) { return dropout2d(x, 0.3, training = false); }, [](const at::Tensor& x) { return x * 1; }, x);
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct dropout2d, shape<batch, 3, 4, 5>, decltype(kernel_size = 1_c)>);
    const at::Tensor flat = at::rand({3}), x = at::rand({7, 5, 3, 2});
    refused([&] { dropout2d(flat); }, "dropout2d: [3]: no rule for these ranks");
    CHECK_THROWS_AS(dropout2d(x, 2.0), shape_error);
  }
}

}  // namespace koila::test
