// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("embedding") {
  const auto f = [](const auto& i, const auto& w) { return embedding(i, w); };
  const auto g = [](const at::Tensor& i, const at::Tensor& w) { return at::embedding(w, i); };
  SECTION("indices of any dims") {
    for (const auto n : batches)  // LibTorch has no second derivative if there are no rows
      check(ask{.twice = n > 0}, f, g, per_sample(labels(n, 4)), whole(normal({4, 3})));
    check(f, g, per_sample(labels(15, 4).view({5, 3})), whole(normal({4, 2})));
    check(f, g, per_sample(labels(15, 4).view({3, 5}), 1), whole(normal({4, 2})));
    check(f, g, per_sample(labels(30, 4).view({2, 5, 3}), 1), whole(normal({4, 1})));
    check(f, g, whole(labels(6, 4).view({2, 3})), whole(normal({4, 3})));
    check(f, g, whole(labels(1, 4)[0]), whole(normal({4, 3})));
    check(f, g, per_sample(labels(5, 4)), whole(normal({4, 0})));
    check(f, g, whole(labels(6, 4).view({2, 3})), per_sample(normal({4, 5}), 1));  // the samples lie along the features
    check([](const auto& i, const auto& w) { return embedding(flatten(i, 0_c, 1_c), w); },
          [=](const at::Tensor& i, const at::Tensor& w) { return g(i.flatten(), w); },
          per_sample(labels(15, 4).view({3, 5}), 1), whole(normal({4, 2})));
    check_typed(f, g, std::pair{input<int64, batch, 3>{}, labels(15, 4).view({5, 3})},
                std::pair{parameter<4, 2>{}, normal({4, 2}).to(at::kFloat)});
  }
  SECTION("a row without gradient") {
    for (const int padding : {0, 2, -1})
      check(
          ask{.quotients = false}, [=](const auto& i, const auto& w) { return embedding(i, w, padding_idx = padding); },
          [=](const at::Tensor& i, const at::Tensor& w) {
            return at::embedding(w, i, padding < 0 ? padding + 4 : padding);
          },
          per_sample(labels(16, 4).view({8, 2})), whole(normal({4, 3})));
  }
  SECTION("types of 16 bits") {
    const at::Tensor i = labels(5, 4), w = normal({4, 3}).to(at::kBFloat16);
    same(f(i, w), g(i, w));
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct embedding, shape<batch>, shape<4, 3>>);
    const input<int64, any> i{"i"};
    const at::Tensor one = labels(3, 4), w = at::rand({4, 3}), wrong = at::rand({4}), beyond = at::full({2}, 4);
    refused([&] { run(embedding(i, wrong), i = one); }, "embedding: int64[3] x [4]: no rule for these ranks");
    refused([&] { embedding(w, w); }, "embedding: [4, 3] x [4, 3]: the index is not int64");
    refused([&] { embedding(one, w, padding_idx = 4); },
            "embedding: int64[3] x [4, 3], padding_idx 4: the number is larger than the dim");
    out_of_range([&] { embedding(beyond, w); });
    out_of_range([&] { embedding(beyond.neg(), w); });
  }
}

}  // namespace koila::test
