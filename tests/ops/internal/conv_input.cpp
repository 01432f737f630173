// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/conv_transpose2d.h>

namespace koila::test {

TEST_CASE("conv_input") {
  const auto f = [](const auto& dy, const auto& w, const auto& x) {
    return conv_input(dy, w, x, stride = 2, groups = 2);
  };
  const auto g = [](const at::Tensor& dy, const at::Tensor& w, const at::Tensor& x) {
    const std::int64_t more[] = {x.size(-2) - (2 * dy.size(-2) + 1), x.size(-1) - 2 * dy.size(-1)};
    return at::conv_transpose2d(dy, w, {}, 2, 0, more, 2) + 0 * x;
  };
  for (const std::int64_t n : {0, 1, 3})
    for (const std::int64_t more : {0, 1})
      check(f, g, per_sample(normal({n, 4, 2, 3})), whole(normal({4, 3, 3, 2})),
            per_sample(normal({n, 6, 5 + more, 6 + more})));
  check(f, g, whole(normal({4, 2, 3})), whole(normal({4, 3, 3, 2})), whole(normal({6, 5, 7})));
  check(f, g, per_sample(normal({4, 2, 3}), 2), whole(normal({4, 3, 3, 2})), whole(normal({6, 5, 7})));
  STATIC_REQUIRE(!Accepts<struct conv_input, shape<batch, 4, 3>, shape<3, 2, 3>, shape<batch, 2, 5>>);
  const at::Tensor dy = at::rand({2, 4, 3}), w = at::rand({3, 2, 3}), x = at::rand({2, 2, 5});
  refused([&] { conv_input(dy, w, x); }, "conv_input: [2, 4, 3] x [3, 2, 3] x [2, 2, 5]: the channels differ");
  const at::Tensor dy3 = at::rand({2, 3, 3}), more = at::rand({2, 4, 5}), beyond = at::rand({2, 3, 4}),
                   wide = w.to(at::kDouble);
  refused([&] { conv_input(dy3, w, more); }, "conv_input: [2, 3, 3] x [3, 2, 3] x [2, 4, 5]: the channels differ");
  refused([&] { conv_input(beyond, w, x); }, "conv_input: [2, 3, 4] x [3, 2, 3] x [2, 2, 5]: a size is out of range");
  refused([&] { conv_input(dy3, wide, x); }, "conv_input: [2, 3, 3] x float64[3, 2, 3] x [2, 2, 5]: dtypes differ");
}

}  // namespace koila::test
