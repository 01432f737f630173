// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("one_hot") {
  const auto f = [](const auto& x) { return one_hot(x, 4); };
  const auto g = [](const at::Tensor& x) { return at::one_hot(x, 4); };
  for (const auto n : batches) {
    check(f, g, per_sample(labels(n, 4)));
    check(f, g, per_sample(labels(3 * n, 4).view({3, n}), 1));
  }
  check(f, g, whole(labels(1, 4)[0]));
  check([](const auto& x, const auto& w) { return mul(one_hot(x, num_classes = 3_c), w); },
        [](const at::Tensor& x, const at::Tensor& w) { return at::one_hot(x, 3) * w; }, per_sample(labels(5, 3)),
        whole(normal({3})));
  check_typed([](const auto& x) { return one_hot(x, 4_c); }, g, std::pair{input<int64, batch>{}, labels(5, 4)});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(one_hot(input<int64, batch>{}, 4_c))>, shape_t<input<int64, batch, 4>>>);

  STATIC_REQUIRE(!Accepts<struct one_hot, shape<int64, batch>>);  // the number of classes is not inferred
  STATIC_REQUIRE(!Accepts<struct one_hot, shape<batch>, decltype(4_c)>);
  const at::Tensor t = at::rand({2}), four = at::full({2}, 4);
  refused([&] { one_hot(t, 4); }, "one_hot: [2], classes 4: the index is not int64");
  refused([&] { one_hot(four, 0); }, "one_hot: int64[2], classes 0: a size is out of range");
  out_of_range([&] { one_hot(four, 4); });
}

}  // namespace koila::test
