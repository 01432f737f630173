// SPDX-License-Identifier: MIT
#include "ops/check_conv.hpp"

#include <ATen/ops/conv3d.h>

namespace koila::test {

TEST_CASE("conv3d") {
  const auto f = [](const auto&... x) { return conv3d(x...); };
  const auto g = [](const auto&... x) { return at::conv3d(x...); };
  check_conv(f, g,
             {{{5, 2, 3, 4, 2}, {3, 2, 2, 3, 1}},
              {{3, 4, 4, 3, 5}, {2, 2, 3, 2, 3}, 2, 1, 1, 2},
              {{2, 3, 2, 3, 2}, {2, 3, 1, 1, 1}},
              {{1, 2, 5, 4, 3}, {2, 1, 2, 2, 2}, 1, 1, 2, 2},
              {{0, 2, 3, 3, 3}, {2, 2, 3, 3, 3}, 1, 1}},
             {2, 3, 4, 5}, {2, 2, 3, 2, 3}, {{1, 1, 2}, {2, 2, 2}, {3, 3, 2}});
  check_typed([](const auto& x, const auto& w, const auto& b) { return conv3d(x, w, b, 2_c, 1_c); },
              [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::conv3d(x, w, b, 2, 1); },
              std::pair{input<batch, 3, 3, 4, 5>{}, normal({5, 3, 3, 4, 5}).to(at::kFloat)},
              std::pair{parameter<4, 3, 3, 2, 3>{}, normal({4, 3, 3, 2, 3}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  STATIC_REQUIRE(!Accepts<struct conv3d, shape<batch, 4, 3, 4, 5>, shape<6, 3, 3, 2, 3>>);
  STATIC_REQUIRE(
      std::same_as<result_of<struct conv3d, shape<batch, 4, 3, 4, 5>, shape<6, 4, 3, 2, 3>, decltype(padding = kSame)>,
                   shape<batch, index_t{6}, index_t{3}, index_t{4}, index_t{5}>>);
  const at::Tensor t = at::rand({2, 4, 3, 4, 5}), u = at::rand({6, 4, 3, 2, 3}), v = at::rand({5, 3, 3, 2, 3}),
                   b = at::rand({5});
  refused([&] { conv3d(t, v); }, "conv3d: [2, 4, 3, 4, 5] x [5, 3, 3, 2, 3]: the channels differ");
  refused([&] { conv3d(t, u, b); }, "conv3d: [2, 4, 3, 4, 5] x [6, 4, 3, 2, 3] x [5]: the bias is not (out_features)");
  refused([&] { conv3d(t, u, dilation = 4); },
          "conv3d: [2, 4, 3, 4, 5] x [6, 4, 3, 2, 3], dilation 4: the kernel is larger than the input");
}

}  // namespace koila::test
