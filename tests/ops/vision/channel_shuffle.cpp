// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("channel_shuffle") {
  const auto f = [](auto g) { return [=](const auto& x) { return channel_shuffle(x, g); }; };
  // LibTorch's channel_shuffle has no gradient.
  const auto want = [](std::int64_t g) {
    return [=](const at::Tensor& x) {
      std::vector<std::int64_t> sizes = x.sizes().vec();
      sizes[1] /= g;
      sizes.insert(sizes.begin() + 1, g);
      return x.reshape(sizes).transpose(1, 2).reshape(x.sizes());
    };
  };
  for (const auto n : batches)
    for (const int g : {1, 2, 3, 6}) {
      check(f(g), want(g), per_sample(normal({n, 6, 2})));
      const at::Tensor t = normal({n, 6, 2, 2});
      same(channel_shuffle(t, g), at::channel_shuffle(t, g));
    }
  check(f(groups = 2), want(2), per_sample(normal({5, 4, 3, 2})));
  check(f(2), want(2), per_sample(normal({2, 6, 5}), 2));
  check(f(2), want(2), per_sample(normal({2, 6, 3, 5, 2}), 3));
  check(f(2), want(2), per_sample(normal({3, 4, 2}), 1));  // the samples are channels
  check(f(2), want(2), whole(normal({1, 4, 1, 1, 2, 1, 1, 1})));
  for (const auto& sizes : {std::vector<std::int64_t>{2, 0, 3}, {2, 4, 0}, {0, 0, 0}}) {
    check(f(2), [](const at::Tensor& x) { return x + 0; }, whole(normal(sizes)));
    same(channel_shuffle(normal(sizes), 2), at::channel_shuffle(normal(sizes), 2));
  }
  check_typed(f(2_c), want(2), std::pair{input<batch, 4, 3>{}, normal({5, 4, 3}).to(at::kFloat)});
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(2_c)(input<batch, 4, 3>{}))>, shape_t<input<batch, 4, 3>>>);
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf}) {
    const at::Tensor t = at::arange(16).view({2, 4, 2}).remainder(5).to(type);
    same(channel_shuffle(t, 2), at::channel_shuffle(t, 2));
  }
  const at::Tensor odd = at::tensor({NAN, 1.0F, -INFINITY, 0.0F}).view({1, 4, 1});
  same(channel_shuffle(odd, 2), at::channel_shuffle(odd, 2));

  STATIC_REQUIRE(!Accepts<struct channel_shuffle, shape<batch, 4, 3>>);
  STATIC_REQUIRE(!Accepts<struct channel_shuffle, shape<batch, 4, 3>, decltype(3_c)>);
  const input<any, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 4, 3});
  refused([&] { run(channel_shuffle(x, 3), x = t); },
          "channel_shuffle: [2, 4, 3], groups 3: the channels are not divisible by the groups");
  refused([&] { channel_shuffle(t, 0); }, "channel_shuffle: [2, 4, 3], groups 0: a size is out of range");
  refused([&] { channel_shuffle(t, -2); }, "channel_shuffle: [2, 4, 3], groups -2: a size is out of range");
  refused([&] { channel_shuffle(t[0], 2); }, "channel_shuffle: [4, 3], groups 2: no rule for these ranks");
}

}  // namespace koila::test
