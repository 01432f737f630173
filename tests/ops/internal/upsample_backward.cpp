// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/upsample_bicubic2d_backward.h>

namespace koila::test {

TEST_CASE("upsample_backward") {
  interpolate_attributes a;
  a.size.assign(list_of(3, 7)), a.mode = choice::bicubic;
  const auto f = [=](const auto& dy, const auto& x) { return upsample_backward(dy, x, interpolation = a); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) {
    const std::vector<std::int64_t> to{3, 7};
    return at::upsample_bicubic2d_backward(dy, to, x.sizes(), false) + 0 * x;
  };
  for (const std::int64_t n : {1, 5}) check(f, g, per_sample(normal({n, 2, 3, 7})), per_sample(normal({n, 2, 5, 4})));
  check(f, g, whole(normal({3, 2, 3, 7})), whole(normal({3, 2, 5, 4})));
  const at::Tensor x = at::rand({1, 3, 5, 4}), dy = at::rand({1, 3, 3, 6});
  refused([&] { upsample_backward(dy, x, interpolation = a); },
          "upsample_backward: [1, 3, 3, 6] x [1, 3, 5, 4], size (3, 7): shapes differ");
}

}  // namespace koila::test
