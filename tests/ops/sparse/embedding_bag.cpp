// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("embedding_bag") {
  const auto bags = [](std::int64_t n, std::int64_t k) { return labels(n * k, 4).view({n, k}); };
  // In LibTorch's operator, the bags are consecutive parts of a list of indices.
  const auto want = [](const at::Tensor& i, const at::Tensor& w, std::int64_t m,
                       std::optional<std::int64_t> padding = {}, const std::optional<at::Tensor>& weights = {}) {
    const at::Tensor starts = at::arange(i.size(0)) * i.size(1);
    const at::Tensor flat = i.contiguous().view({-1});
    return std::get<0>(at::embedding_bag(w, flat, starts, false, m, false, weights, false, padding));
  };
  SECTION("sum, mean, max") {
    for (const auto n : {1, 3, 8}) {
      const operand i = per_sample(bags(n, 3)), w = whole(normal({4, 2}));
      check(
          ask{.twice = false}, [](const auto& i, const auto& w) { return embedding_bag(i, w, mode = kSum); },
          [=](const at::Tensor& i, const at::Tensor& w) { return want(i, w, 0); }, i, w);
      check(
          ask{.twice = false}, [](const auto& i, const auto& w) { return embedding_bag(i, w); },
          [=](const at::Tensor& i, const at::Tensor& w) { return want(i, w, 1); }, i, w);
      check(
          ask{.twice = false}, [](const auto& i, const auto& w) { return embedding_bag(i, w, kMax); },
          [=](const at::Tensor& i, const at::Tensor& w) { return want(i, w, 2); }, i, w);
      // LibTorch has no second derivatives, so the reference is a sum of embedding rows.
      check([](const auto& i, const auto& w) { return embedding_bag(i, w, mode = kSum); },
            [=](const at::Tensor& i, const at::Tensor& w) { return at::embedding(w, i).sum(1); }, i, w);
    }
    check_typed([](const auto& i, const auto& w) { return embedding_bag(i, w); },
                [](const at::Tensor& i, const at::Tensor& w) { return at::embedding(w, i).mean(1); },
                std::pair{input<int64, batch, 3>{}, bags(5, 3)},
                std::pair{parameter<4, 2>{}, normal({4, 2}).to(at::kFloat)});
  }
  SECTION("padding, bags of nothing else") {
    at::Tensor index = bags(8, 3);
    index[2].fill_(1);
    for (const int m : {0, 1, 2}) {
      const choice chosen = m == 0 ? choice::sum : m == 1 ? choice::mean : choice::max;
      check(
          ask{.twice = false},
          [=](const auto& i, const auto& w) {
            return embedding_bag(i, w, mode = attr<choice>(chosen), padding_idx = 1);
          },
          [=](const at::Tensor& i, const at::Tensor& w) { return want(i, w, m, 1); }, per_sample(index),
          whole(normal({4, 2})));
    }
  }
  SECTION("trials H: rows of -infinity are rows, of which the largest is -infinity") {
    at::Tensor w = normal({4, 2}), index = at::tensor({0, 2, 1, 1, 1, 2}, at::kLong).view({3, 2});
    w[0].fill_(-INFINITY), w[2].fill_(-INFINITY);
    for (const index_t padding : {1, 3}) {
      const at::Tensor all = want(index, w, 2, padding);
      same(embedding_bag(index, w, kMax, padding_idx = padding), all);
      same(run(embedding_bag(lazy<batch>(index), lazy(w), kMax, padding_idx = padding), {.chunk = 1}), all);
    }
  }
  SECTION("trials H: of rows that are all -infinity the first gets the gradient, wherever the padding is") {
    const at::Tensor index = at::tensor({0, 3, 2, 0, 1, 3, 3, 0, 1, 0, 0, 0}, at::kLong).view({4, 3});
    at::Tensor w = normal({4, 2});
    w[3].fill_(-INFINITY), w[2][0] = -INFINITY;
    for (const index_t padding : {0, 1, 3})
      check(
          ask{.twice = false},
          [=](const auto& i, const auto& w) { return embedding_bag(i, w, kMax, padding_idx = padding); },
          [=](const at::Tensor& i, const at::Tensor& w) { return want(i, w, 2, padding); }, per_sample(index),
          whole(w));
  }
  SECTION("weighted, of no indices") {
    check(
        ask{.twice = false},
        [](const auto& i, const auto& w, const auto& each) { return embedding_bag(i, w, each, mode = kSum); },
        [=](const at::Tensor& i, const at::Tensor& w, const at::Tensor& each) {
          return want(i, w, 0, std::nullopt, each.contiguous().view({-1}));
        },
        per_sample(bags(5, 3)), whole(normal({4, 2})), per_sample(normal({5, 3})));
    for (const choice chosen : {choice::sum, choice::mean, choice::max})
      check(
          ask{.twice = false},
          [=](const auto& i, const auto& w) { return embedding_bag(i, w, mode = attr<choice>(chosen)); },
          [](const at::Tensor& i, const at::Tensor& w) { return at::embedding(w, i).sum(1); }, per_sample(bags(5, 0)),
          whole(normal({4, 2})));
  }
  SECTION("of equal rows the first is the largest") {
    const bound w = leaf(at::zeros({4, 2}, at::kDouble));
    const auto largest = embedding_bag(lazy(at::tensor({0, 1, 2, 1}, at::kLong).view({2, 2})), w.leaf, kMax);
    const at::Tensor want = at::tensor({1.0, 0.0, 1.0, 0.0}, at::kDouble).view({4, 1}).expand({4, 2});
    same(run(gradient(sum(largest), w.leaf)), want);
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct embedding_bag, shape<int64, batch>, shape<4, 3>>);
    STATIC_REQUIRE(!Accepts<struct embedding_bag, shape<int64, batch, 3>, shape<4, 3>, decltype(mode = kBilinear)>);
    const at::Tensor i = bags(2, 3), flat = labels(3, 4), w = at::rand({4, 3}), each = at::rand({2, 2});
    refused([&] { embedding_bag(flat, w); }, "embedding_bag: int64[3] x [4, 3]: no rule for these ranks");
    refused([&] { embedding_bag(i, w, each, mode = kSum); },
            "embedding_bag: int64[2, 3] x [4, 3] x [2, 2]: shapes differ");
  }
}

}  // namespace koila::test
