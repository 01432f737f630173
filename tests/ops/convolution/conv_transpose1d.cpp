// SPDX-License-Identifier: MIT
#include "ops/check_conv.hpp"

#include <ATen/ops/conv_transpose1d.h>

namespace koila::test {

TEST_CASE("conv_transpose1d") {
  const auto f = [](const auto&... x) { return conv_transpose1d(x...); };
  const auto g = [](const auto&... x) { return at::conv_transpose1d(x...); };
  check_conv_transpose(f, g,
                       {{{5, 3, 4}, {3, 2, 3}},
                        {{3, 4, 3}, {4, 2, 3}, 2, 1, 1, 2, 1},
                        {{2, 4, 3}, {4, 1, 2}, 1, 1, 3, 4, 2},
                        {{2, 3, 5}, {3, 2, 1}},
                        {{2, 3, 3}, {3, 2, 1}, 3, 0, 1, 1, 2},
                        {{4, 2, 5}, {2, 3, 1}, 1, 0, 2, 1, 1},
                        {{5, 6, 1}, {6, 2, 1}, 1, 0, 4, 3, 3},
                        {{0, 3, 4}, {3, 2, 3}, 1, 1}},
                       {2, 5}, {2, 2, 3});
  check_typed(
      [](const auto& x, const auto& w, const auto& b) { return conv_transpose1d(x, w, b, 2_c, 1_c); },
      [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::conv_transpose1d(x, w, b, 2, 1); },
      std::pair{input<batch, 3, 5>{}, normal({5, 3, 5}).to(at::kFloat)},
      std::pair{parameter<3, 4, 3>{}, normal({3, 4, 3}).to(at::kFloat)},
      std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  STATIC_REQUIRE(!Accepts<struct conv_transpose1d, shape<batch, 4, 5>, shape<3, 6, 3>>);
  STATIC_REQUIRE(!Accepts<struct conv_transpose1d, shape<batch, 4, 5>, shape<4, 6, 3>, decltype(padding = kSame)>);
  STATIC_REQUIRE(
      std::same_as<result_of<struct conv_transpose1d, shape<batch, 4, 5>, shape<4, 3, 3>, decltype(groups = 2_c)>,
                   shape<batch, index_t{6}, index_t{7}>>);
  const at::Tensor t = at::rand({2, 4, 5}), u = at::rand({6, 4, 3}), v = at::rand({5, 3, 3}), b = at::rand({5}),
                   back = t.transpose(0, 1);
  refused([&] { conv_transpose1d(t, v); }, "conv_transpose1d: [2, 4, 5] x [5, 3, 3]: the channels differ");
  refused([&] { conv_transpose1d(t, u); }, "conv_transpose1d: [2, 4, 5] x [6, 4, 3]: the channels differ");
  refused([&] { conv_transpose1d(t, t, b); }, "conv_transpose1d: [2, 4, 5] x [2, 4, 5] x [5]: the channels differ");
  refused([&] { conv_transpose1d(t, v, output_padding = 1); },
          "conv_transpose1d: [2, 4, 5] x [5, 3, 3], output_padding 1: the channels differ");
  refused([&] { conv_transpose1d(t, back, output_padding = 1); },
          "conv_transpose1d: [2, 4, 5] x [4, 2, 5], output_padding 1: a size is out of range");
}

}  // namespace koila::test
