#include "check.hpp"

namespace koila::test {

TEST_CASE("index") {
  const auto f = [](const auto& x, const auto& i) { return koila::index(x, i); };
  const auto g = [](const at::Tensor& x, const at::Tensor& i) { return x.index({i}); };
  for (const auto n : batches) {
    check(f, g, whole(normal({7, 2})), per_sample(labels(n, 7)));
    check(f, g, whole(normal({7, 2, 2})), per_sample(labels(3 * n, 7).view({n, 3}) - 7));  // words of samples, from the end
    check(f, g, whole(normal({7})), per_sample(labels(2 * n, 7).view({2, n}), 1));
  }
  check(f, g, per_sample(normal({5, 2})), whole(labels(4, 5).view({2, 2})));
  check(f, g, per_sample(normal({5, 2})), whole(labels(1, 5)[0]));
  check_typed(f, g, std::pair{parameter<7, 2>{}, normal({7, 2}).to(at::kFloat)},
              std::pair{input<int64, batch, 3>{}, labels(15, 7).view({5, 3})});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(f(parameter<7, 2>{}, input<int64, batch, 3>{}))>, shape_t<input<batch, 3, 2>>>);

  STATIC_REQUIRE(!Accepts<struct ops::index, shape<7, 2>, shape<batch>>);
  const at::Tensor t = at::rand({2, 3}), beyond = at::full({2}, 2);
  refused([&] { koila::index(t, t); }, "index: [2, 3] x [2, 3]: the index is not int64");
  CHECK_THROWS_AS(koila::index(t, beyond), c10::IndexError);
}

}  // namespace koila::test
