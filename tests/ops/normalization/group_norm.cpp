// SPDX-License-Identifier: MIT
#include "ops/check_16_bits.hpp"

namespace koila::test {

TEST_CASE("group_norm") {
  for (const int groups : {1, 2, 6}) {  // each group has at least 7 values, so that no variance is near 0
    const auto f = [=](const auto& x, const auto& w, const auto& b) {
      // The result is multiplied by x. Otherwise the sum of squares, which the gradient check uses
      // as its loss, would hardly depend on x.
      return mul(x, group_norm(x, w, b, num_groups = groups));
    };
    const auto g = [=](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
      return x * at::group_norm(x, groups, w, b);
    };
    for (const auto n : {1, 3, 8}) check(f, g, per_sample(normal({n, 6, 7})), whole(normal({6})), whole(normal({6})));
    check(f, g, per_sample(normal({2, 6, 8}), 2), whole(normal({6})), whole(normal({6})));
    if (groups < 6) check(f, g, per_sample(normal({5, 14})), whole(normal({14})), whole(normal({14})));
  }
  check([](const auto& x) { return mul(x, group_norm(x, num_groups = 2, eps = 0.1)); },
        [](const at::Tensor& x) { return x * at::group_norm(x, 2, {}, {}, 0.1); }, per_sample(normal({5, 4, 2, 3})));
  check([](const auto& x) { return mul(x, group_norm(x, 2_c)); },
        [](const at::Tensor& x) { return x * at::group_norm(x, 2); }, per_sample(normal({3, 4, 5}), 1));
  check_typed(
      [](const auto& x, const auto& w, const auto& b) { return mul(x, group_norm(x, w, b, 2_c)); },
      [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return x * at::group_norm(x, 2, w, b); },
      std::pair{input<batch, 4, 7>{}, normal({5, 4, 7}).to(at::kFloat)},
      std::pair{parameter<4>{}, normal({4}).to(at::kFloat)}, std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});

  STATIC_REQUIRE(!Accepts<struct group_norm, shape<batch, 4>, decltype(num_groups = 3_c)>);
  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 4}), three = at::rand({3});
  refused([&] { run(group_norm(x, num_groups = 3), x = t); },
          "group_norm: [2, 4], num_groups 3: the channels are not divisible by the groups");
  refused([&] { group_norm(t, num_groups = 0); }, "group_norm: [2, 4], num_groups 0: a size is out of range");
  STATIC_REQUIRE(!Accepts<struct group_norm, shape<batch, 4>>);
  refused([&] { group_norm(t, three, three, num_groups = 2); },
          "group_norm: [2, 4] x [3] x [3], num_groups 2: the weight is not one number per channel");
}

TEST_CASE("trials H1: group_norm in 16 bits has statistics and gradients of float32") {
  const auto f = [](const auto& x, const auto& w, const auto& b) { return group_norm(x, w, b, num_groups = 2); };
  const auto g = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
    return at::group_norm(x, 2, w, b);
  };
  const operand w = whole(normal({4}) + 1), b = whole(normal({4}));
  check_16_bits(f, g, per_sample(normal({8, 4, 6, 6}) * 0.01), w, b);
  check_16_bits(f, g, per_sample(normal({8, 4, 6, 6}) * 0.01 + 10), w, b);
  // Groups of one element.
  check_16_bits([](const auto& x) { return group_norm(x, num_groups = 4); },
                [](const at::Tensor& x) { return at::group_norm(x, 4); }, per_sample(normal({5, 4})));
  const at::Tensor x = (normal({8, 4, 6, 6}) * 0.01).to(at::kHalf);
  const bound given = leaf(x, 0);
  const auto loss = sum(mul(group_norm(given.leaf, num_groups = 2), given.leaf));
  CHECK(at::isfinite(run(gradient(loss, given.leaf), binding<at::Tensor>{given.leaf.state, x})).all().item<bool>());
}

TEST_CASE("group_norm of as many dims as there may be") {
  check([](const auto& x) { return mul(x, group_norm(x, num_groups = 2)); },
        [](const at::Tensor& x) { return x * at::group_norm(x, 2); }, per_sample(normal({3, 4, 2, 1, 2, 1, 3})));
}

TEST_CASE("trials A1: group_norm refuses groups that no dims could hold, though they divide 0 channels") {
  const at::Tensor x = at::rand({3, 0, 2});
  refused([&] { group_norm(x, num_groups = std::numeric_limits<index_t>::max()); },
          "group_norm: [3, 0, 2], num_groups 9223372036854775807: a size is out of range");
  CHECK(group_norm(x, num_groups = 5).sizes() == at::IntArrayRef{3, 0, 2});
}

}  // namespace koila::test
