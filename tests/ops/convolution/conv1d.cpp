// SPDX-License-Identifier: MIT
#include "ops/check_conv.hpp"

#include <ATen/ops/conv1d.h>

namespace koila::test {

TEST_CASE("conv1d") {
  const auto f = [](const auto&... x) { return conv1d(x...); };
  const auto g = [](const auto&... x) { return at::conv1d(x...); };
  check_conv(f, g,
             {{{5, 3, 7}, {4, 3, 3}},
              {{3, 4, 8}, {6, 2, 3}, 2, 1, 1, 2},
              {{3, 4, 9}, {4, 1, 2}, 1, 2, 3, 4},
              {{2, 3, 5}, {2, 3, 1}},
              {{2, 3, 5}, {2, 3, 1}, 3},
              {{1, 1, 1}, {1, 1, 3}, 1, 1},
              {{0, 3, 4}, {2, 3, 3}, 1, 1}},
             {2, 5}, {2, 2, 3}, {{1}, {2}, {3}});
  check_typed([](const auto& x, const auto& w, const auto& b) { return conv1d(x, w, b, 2_c, 1_c); },
              [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::conv1d(x, w, b, 2, 1); },
              std::pair{input<batch, 3, 5>{}, normal({5, 3, 5}).to(at::kFloat)},
              std::pair{parameter<4, 3, 3>{}, normal({4, 3, 3}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  STATIC_REQUIRE(!Accepts<struct conv1d, shape<batch, 4, 5>, shape<6, 3, 3>>);
  STATIC_REQUIRE(std::same_as<result_of<struct conv1d, shape<batch, 4, 5>, shape<6, 4, 3>, decltype(padding = kSame)>,
                              shape<batch, index_t{6}, index_t{5}>>);
  const at::Tensor t = at::rand({2, 4, 5}), u = at::rand({6, 4, 3}), v = at::rand({5, 3, 3}), b = at::rand({5});
  refused([&] { conv1d(t, v); }, "conv1d: [2, 4, 5] x [5, 3, 3]: the channels differ");
  refused([&] { conv1d(t, u, b); }, "conv1d: [2, 4, 5] x [6, 4, 3] x [5]: the bias is not (out_features)");
  refused([&] { conv1d(t, u, dilation = 4); },
          "conv1d: [2, 4, 5] x [6, 4, 3], dilation 4: the kernel is larger than the input");
}

}  // namespace koila::test
