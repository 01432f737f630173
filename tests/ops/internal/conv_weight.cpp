// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/convolution_backward.h>

namespace koila::test {

TEST_CASE("conv_weight") {
  const auto f = [](const auto& dy, const auto& x, const auto& w) {
    return conv_weight(dy, x, w, stride = list_of(1, 2), padding = 1, groups = 2);
  };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& w) {
    const std::int64_t s[] = {1, 2}, p[] = {1, 1}, d[] = {1, 1}, none[] = {0, 0};
    const auto all = [](const at::Tensor& t) { return t.dim() == 3 ? t.unsqueeze(0) : t; };
    return std::get<1>(at::convolution_backward(all(dy), all(x), w, std::nullopt, s, p, d, false, none, 2,
                                                {false, true, false})) +
           0 * w;
  };
  for (const std::int64_t n : {0, 1, 3, 5}) {
    check(f, g, per_sample(normal({n, 4, 3, 3})), per_sample(normal({n, 2, 3, 5})), whole(normal({4, 1, 3, 3})));
  }
  check(f, g, whole(normal({4, 3, 3})), whole(normal({2, 3, 5})), whole(normal({4, 1, 3, 3})));
  check(f, g, per_sample(normal({4, 3, 3}), 1), whole(normal({2, 3, 5})), whole(normal({4, 1, 3, 3})));
  check(f, g, whole(normal({2, 4, 3, 3})), per_sample(normal({2, 2, 3, 5}), 2), whole(normal({4, 1, 3, 3})));
  STATIC_REQUIRE(!Accepts<struct conv_weight, shape<batch, 3, 3>, shape<4, 2, 5>, shape<3, 2, 3>>);
  const at::Tensor dy = at::rand({2, 3, 3}), x = at::rand({2, 2, 5}), w = at::rand({3, 2});
  refused([&] { conv_weight(dy, x, w); }, "conv_weight: [2, 3, 3] x [2, 2, 5] x [3, 2]: no rule for these ranks");
  const at::Tensor w2 = at::rand({3, 2, 3}), more = at::rand({2, 4, 5}), beyond = at::rand({2, 3, 4}),
                   wide = x.to(at::kDouble);
  refused([&] { conv_weight(dy, more, w2); }, "conv_weight: [2, 3, 3] x [2, 4, 5] x [3, 2, 3]: the channels differ");
  refused([&] { conv_weight(beyond, x, w2); },
          "conv_weight: [2, 3, 4] x [2, 2, 5] x [3, 2, 3]: a size is out of range");
  refused([&] { conv_weight(dy, wide, w2); }, "conv_weight: [2, 3, 3] x float64[2, 2, 5] x [3, 2, 3]: dtypes differ");
}

}  // namespace koila::test
