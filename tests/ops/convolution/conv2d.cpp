// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>

namespace koila::test {

TEST_CASE("conv2d") {
  struct config {
    std::vector<std::int64_t> x, w;
    std::int64_t stride[2], padding[2], dilation[2], groups;
  };
  const config some[] = {
      {{5, 3, 5, 4}, {4, 3, 3, 2}, {1, 1}, {0, 0}, {1, 1}, 1}, {{3, 4, 6, 5}, {6, 2, 3, 3}, {2, 1}, {1, 2}, {1, 1}, 2},
      {{2, 4, 4, 4}, {4, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 4}, {{3, 2, 7, 6}, {3, 2, 2, 3}, {1, 2}, {2, 0}, {3, 2}, 1},
      {{5, 3, 3, 2}, {2, 3, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 1}, {{3, 4, 3, 4}, {2, 2, 1, 1}, {1, 1}, {0, 0}, {2, 2}, 2},
      {{2, 3, 5, 5}, {2, 3, 1, 1}, {2, 3}, {1, 0}, {1, 1}, 1}, {{1, 1, 1, 1}, {1, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
      {{0, 3, 4, 4}, {2, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1}, {{2, 1, 3, 9}, {2, 1, 3, 1}, {3, 4}, {0, 0}, {1, 1}, 1},
      {{2, 3, 2, 2}, {2, 3, 2, 2}, {1, 1}, {3, 3}, {1, 1}, 1},
  };
  for (const config& c : some) {
    const auto s = list_of(c.stride[0], c.stride[1]), p = list_of(c.padding[0], c.padding[1]),
               d = list_of(c.dilation[0], c.dilation[1]);
    const at::Tensor w = normal(c.w), b = normal({c.w[0]});
    check(
        ask{.twice = c.x[0] == 3 || c.groups > 1},
        [&](const auto& x, const auto& v) {
          return conv2d(x, v, stride = s, padding = p, dilation = d, groups = c.groups);
        },
        [&](const at::Tensor& x, const at::Tensor& v) {
          return at::conv2d(x, v, {}, c.stride, c.padding, c.dilation, c.groups);
        },
        per_sample(normal(c.x)), whole(w));
    check(
        ask{.twice = c.x[0] == 3},
        [&](const auto& x, const auto& v, const auto& a) { return conv2d(x, v, a, s, p, d, c.groups); },
        [&](const at::Tensor& x, const at::Tensor& v, const at::Tensor& a) {
          return at::conv2d(x, v, a, c.stride, c.padding, c.dilation, c.groups);
        },
        per_sample(normal(c.x)), whole(w), whole(b));
  }
}

TEST_CASE("conv2d where the samples lie elsewhere, and with padding by name") {
  const auto f = [](const auto& x, const auto& w) { return conv2d(x, w, padding = list_of(1, 0)); };
  const std::int64_t p[] = {1, 0};
  const auto g = [&](const at::Tensor& x, const at::Tensor& w) { return at::conv2d(x, w, {}, 1, p); };
  check(f, g, whole(normal({2, 3, 4, 3})), whole(normal({2, 3, 3, 2})));
  check(f, g, whole(normal({3, 4, 3})), whole(normal({2, 3, 3, 2})));                       // one sample
  check(f, g, per_sample(normal({3, 4, 3}), 1), whole(normal({2, 3, 3, 2})));
  check(f, g, per_sample(normal({3, 3, 4, 3}), 3), whole(normal({2, 3, 3, 2})));
  check(f, g, per_sample(normal({2, 3, 4, 3}), 1), per_sample(normal({2, 3, 3, 2}), 1));
  for (const int k : {0, 2}) check(f, g, whole(normal({2, 3, 4, 3})), per_sample(normal({2, 3, 3, 2}), k));

  for (const std::int64_t k : {1, 2, 3, 4})
    for (const std::int64_t d : {1, 3})
      check(
          ask{.twice = k == 2},
          [=](const auto& x, const auto& w) { return conv2d(x, w, padding = kSame, dilation = list_of(d, 1)); },
          [=](const at::Tensor& x, const at::Tensor& w) {
            const std::int64_t both[] = {d, 1}, more = d * (k - 1), around[] = {0, 1, more / 2, more - more / 2};
            if (k % 2 == 0) return at::conv2d(at::constant_pad_nd(x, around), w, {}, 1, at::IntArrayRef{0}, both);
            return at::conv2d(x, w, {}, 1, "same", both);  // LibTorch warns if the padding of a dim is odd
          },
          per_sample(normal({3, 2, 5, 4})), whole(normal({3, 2, k, k % 2 == 0 ? 2 : 3})));
  check([](const auto& x, const auto& w) { return conv2d(x, w, padding = kValid, stride = 2); },
        [](const at::Tensor& x, const at::Tensor& w) { return at::conv2d(x, w, {}, 2, "valid"); },
        per_sample(normal({3, 2, 5, 4})), whole(normal({3, 2, 2, 3})));
}

TEST_CASE("conv2d of shapes that the compiler knows, and refused") {
  check_typed([](const auto& x, const auto& w, const auto& b) { return conv2d(x, w, b, 2_c, 1_c); },
              [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::conv2d(x, w, b, 2, 1); },
              std::pair{input<batch, 3, 5, 6>{}, normal({5, 3, 5, 6}).to(at::kFloat)},
              std::pair{parameter<4, 3, 3, 3>{}, normal({4, 3, 3, 3}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  for (const auto type : {at::kBFloat16, at::kHalf})  // small integers, so that nothing is rounded
    for (const int k : {1, 3}) {
      const auto small = [&](at::IntArrayRef sizes) { return normal(sizes).mul(2).round().clamp(-2, 2).to(type); };
      const bound x = leaf(small({3, 4, 4, 5}), 0), w = leaf(small({2, 2, k, k}));
      compare({}, conv2d(x.leaf, w.leaf, groups = 2), conv2d(x.value, w.value, groups = 2),
              [](const auto& t) { return at::conv2d(t[0], t[1], {}, 1, at::IntArrayRef{0}, 1, 2); }, {x, w},
              {.gradients = false});
    }
  using image = shape<batch, 4, 8, 7>;
  using weight = shape<6, 4, 3, 3>;
  STATIC_REQUIRE(
      std::same_as<result_of<struct conv2d, image, weight>, shape<batch, index_t{6}, index_t{6}, index_t{5}>>);
  STATIC_REQUIRE(std::same_as<result_of<struct conv2d, image, weight, decltype(padding = kSame)>,
                              shape<batch, index_t{6}, index_t{8}, index_t{7}>>);
  STATIC_REQUIRE(std::same_as<result_of<struct conv2d, image, weight, decltype(stride = list_of(2_c, 1))>,
                              shape<batch, index_t{6}, index_t{3}, any>>);
  STATIC_REQUIRE(
      std::same_as<result_of<struct conv2d, image, weight, decltype(stride = 2)>, shape<batch, index_t{6}, any, any>>);
  STATIC_REQUIRE(!Accepts<struct conv2d, image, shape<6, 3, 3, 3>>);
  STATIC_REQUIRE(!Accepts<struct conv2d, image, weight, shape<4>>);
  STATIC_REQUIRE(!Accepts<struct conv2d, image, weight, decltype(groups = 2_c)>);
  STATIC_REQUIRE(!Accepts<struct conv2d, image, weight, decltype(dilation = 4_c)>);
  STATIC_REQUIRE(!Accepts<struct conv2d, image, weight, decltype(stride = 0_c)>);
  STATIC_REQUIRE(!Accepts<struct conv2d, image, weight, decltype(padding = kReflect)>);
  STATIC_REQUIRE(!Accepts<struct conv2d, image, weight, decltype(padding = kSame), decltype(stride = 2_c)>);
  STATIC_REQUIRE(!Accepts<struct conv2d, image, weight, decltype(stride = list_of(1_c, 1_c, 1_c))>);

  const input<any, any, any, any> x{"x"}, w{"w"};
  const at::Tensor t = at::rand({2, 4, 5, 5}), u = at::rand({6, 4, 3, 3}), v = at::rand({6, 3, 3, 3}),
                   b = at::rand({5}), flat = at::rand({5, 5}), wide = at::rand({6, 4, 3, 3}, at::kDouble),
                   whole_numbers = at::ones({2, 4, 5, 5}, at::kLong);
  refused([&] { run(conv2d(x, w), x = t, w = v); }, "conv2d: [2, 4, 5, 5] x [6, 3, 3, 3]: the channels differ");
  refused([&] { conv2d(t, u, b); }, "conv2d: [2, 4, 5, 5] x [6, 4, 3, 3] x [5]: the bias is not (out_features)");
  refused([&] { run(conv2d(x, w, stride = 2, dilation = 3), x = t, w = u); },
          "conv2d: [2, 4, 5, 5] x [6, 4, 3, 3], stride 2, dilation 3: the kernel is larger than the input");
  refused([&] { conv2d(t, u, groups = 4, padding = kSame); },
          "conv2d: [2, 4, 5, 5] x [6, 4, 3, 3], padding same, groups 4: the channels are not divisible by the groups");
  refused([&] { conv2d(t, u, groups = 2); }, "conv2d: [2, 4, 5, 5] x [6, 4, 3, 3], groups 2: the channels differ");
  refused([&] { conv2d(flat, u); }, "conv2d: [5, 5] x [6, 4, 3, 3]: no rule for these ranks");
  refused([&] { conv2d(t, wide); }, "conv2d: [2, 4, 5, 5] x float64[6, 4, 3, 3]: dtypes differ");
  refused([&] { conv2d(whole_numbers, whole_numbers); },
          "conv2d: int64[2, 4, 5, 5] x int64[2, 4, 5, 5]: not a floating-point dtype");
  refused([&] { conv2d(t, u, padding = list_of(1, -1)); },
          "conv2d: [2, 4, 5, 5] x [6, 4, 3, 3], padding (1, -1): a size is out of range");
}

}  // namespace koila::test
