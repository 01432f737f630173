#include "check.hpp"

#include <ATen/ops/conv_transpose3d.h>

namespace koila::test {

TEST_CASE("conv_transpose3d") {
  struct config {
    std::vector<std::int64_t> x, w;
    std::int64_t stride, padding, output_padding, dilation, groups;
  };
  const config some[] = {
      {{5, 2, 2, 1, 3}, {2, 3, 2, 3, 1}, 1, 0, 0, 1, 1},
      {{3, 4, 2, 2, 1}, {4, 1, 2, 3, 3}, 2, 1, 1, 1, 2},
      {{2, 3, 2, 3, 2}, {3, 2, 1, 1, 1}, 1, 0, 0, 1, 1},
      {{0, 3, 2, 2, 2}, {3, 2, 2, 2, 2}, 1, 0, 0, 1, 1},
  };
  const auto of = [](std::int64_t n) { return std::vector<std::int64_t>(3, n); };
  for (const config& c : some) {
    const auto f = [&](const auto&... t) {
      return conv_transpose3d(t..., stride = c.stride, padding = c.padding, output_padding = c.output_padding,
                              dilation = c.dilation, groups = c.groups);
    };
    check(
        f,
        [&](const at::Tensor& x, const at::Tensor& w) {
          return at::conv_transpose3d(x, w, {}, of(c.stride), of(c.padding), of(c.output_padding), c.groups, of(c.dilation));
        },
        per_sample(normal(c.x)), whole(normal(c.w)));
    check(
        ask{.twice = c.x[0] == 3}, f,
        [&](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
          return at::conv_transpose3d(x, w, b, of(c.stride), of(c.padding), of(c.output_padding), c.groups, of(c.dilation));
        },
        per_sample(normal(c.x)), whole(normal(c.w)), whole(normal({c.w[1] * c.groups})));
  }
  check([](const auto& x, const auto& w) { return conv_transpose3d(x, w); },
        [](const at::Tensor& x, const at::Tensor& w) { return at::conv_transpose3d(x, w); }, whole(normal({2, 3, 4, 2})),
        whole(normal({2, 2, 3, 2, 3})));
  check([](const auto& x, const auto& w) { return conv_transpose3d(x, w); },
        [](const at::Tensor& x, const at::Tensor& w) { return at::conv_transpose3d(x, w); },
        per_sample(normal({3, 2, 3, 4, 2}), 2), whole(normal({2, 2, 3, 2, 3})));

  check_typed([](const auto& x, const auto& w, const auto& b) { return conv_transpose3d(x, w, b, 2_c, 1_c); },
              [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::conv_transpose3d(x, w, b, 2, 1); },
              std::pair{input<batch, 3, 3, 4, 2>{}, normal({5, 3, 3, 4, 2}).to(at::kFloat)},
              std::pair{parameter<3, 4, 3, 2, 3>{}, normal({3, 4, 3, 2, 3}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  STATIC_REQUIRE(!Accepts<struct conv_transpose3d, shape<batch, 4, 3, 4, 2>, shape<3, 6, 3, 2, 3>>);
  STATIC_REQUIRE(
      !Accepts<struct conv_transpose3d, shape<batch, 4, 3, 4, 2>, shape<4, 6, 3, 2, 3>, decltype(kernel_size = 1_c)>);
  STATIC_REQUIRE(!Accepts<struct conv_transpose3d, shape<batch, 4, 3, 4, 2>, shape<4, 6, 3, 2, 3>, decltype(padding = kSame)>);
  STATIC_REQUIRE(
      std::same_as<result_of<struct conv_transpose3d, shape<batch, 4, 3, 4, 2>, shape<4, 3, 3, 2, 3>, decltype(groups = 2_c)>,
                   shape<batch, index_t{6}, index_t{5}, index_t{5}, index_t{4}>>);
  const at::Tensor t = at::rand({2, 4, 3, 4, 2}), u = at::rand({6, 4, 3, 2, 3}), v = at::rand({5, 3, 3, 2, 3}),
                   b = at::rand({5}), back = t.transpose(0, 1);
  refused([&] { conv_transpose3d(t, v); }, "conv_transpose3d: [2, 4, 3, 4, 2] x [5, 3, 3, 2, 3]: the channels differ");
  refused([&] { conv_transpose3d(t, u); }, "conv_transpose3d: [2, 4, 3, 4, 2] x [6, 4, 3, 2, 3]: the channels differ");
  refused([&] { conv_transpose3d(t, t, b); }, "conv_transpose3d: [2, 4, 3, 4, 2] x [2, 4, 3, 4, 2] x [5]: the channels differ");
  refused([&] { conv_transpose3d(t, v, output_padding = 1); },
          "conv_transpose3d: [2, 4, 3, 4, 2] x [5, 3, 3, 2, 3], output_padding 1: the channels differ");
  refused([&] { conv_transpose3d(t, back, output_padding = 1); },
          "conv_transpose3d: [2, 4, 3, 4, 2] x [4, 2, 3, 4, 2], output_padding 1: a size is out of range");
}

}  // namespace koila::test
