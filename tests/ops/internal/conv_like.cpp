// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv2d.h>

namespace koila::test {

TEST_CASE("conv_like") {
  const auto f = [](const auto& x, const auto& w, const auto& y) {
    return conv_like(x, w, y, stride = list_of(2, 1), padding = 1);
  };
  const auto g = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& y) {
    const std::int64_t s[] = {2, 1};
    return at::conv2d(x, w, {}, s, 1).slice(-2, 0, y.size(-2)).slice(-1, 0, y.size(-1)) + 0 * y;
  };
  for (const std::int64_t n : {0, 1, 3})
    for (const std::int64_t fewer : {0, 1})
      check(f, g, per_sample(normal({n, 2, 5, 4})), whole(normal({3, 2, 3, 2})),
            per_sample(normal({n, 3, 3 - fewer, 5 - fewer})));
  check(f, g, whole(normal({2, 5, 4})), whole(normal({3, 2, 3, 2})), whole(normal({3, 3, 5})));
  check(f, g, per_sample(normal({2, 5, 4}), 1), whole(normal({3, 2, 3, 2})), whole(normal({3, 3, 5})));
  check([](const auto& x, const auto& w, const auto& y) { return conv_like(x, w, y, groups = 2); },
        [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& y) {
          return at::conv1d(x, w, {}, 1, at::IntArrayRef{0}, 1, 2) + 0 * y;
        },
        per_sample(normal({3, 4, 5})), whole(normal({2, 2, 3})), per_sample(normal({3, 2, 3})));
  STATIC_REQUIRE(!Accepts<struct conv_like, shape<batch, 2, 5>, shape<3, 2, 3>, shape<batch, 4, 3>>);
  const at::Tensor x = at::rand({2, 2, 5}), w = at::rand({3, 2, 3}), y = at::rand({4, 3, 3});
  refused([&] { conv_like(x, w, y); }, "conv_like: [2, 2, 5] x [3, 2, 3] x [4, 3, 3]: batch dimensions differ");
  const at::Tensor tensors = at::rand({2, 3, 3}), more = at::rand({2, 4, 5}), beyond = at::rand({2, 3, 4}),
                   wide = w.to(at::kDouble);
  refused([&] { conv_like(more, w, tensors); }, "conv_like: [2, 4, 5] x [3, 2, 3] x [2, 3, 3]: the channels differ");
  refused([&] { conv_like(x, w, beyond); }, "conv_like: [2, 2, 5] x [3, 2, 3] x [2, 3, 4]: a size is out of range");
  refused([&] { conv_like(x, wide, tensors); }, "conv_like: [2, 2, 5] x float64[3, 2, 3] x [2, 3, 3]: dtypes differ");
}

}  // namespace koila::test
