// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/upsample_bilinear2d.h>

namespace koila::test {

TEST_CASE("upsample") {
  interpolate_attributes a;
  a.size.assign(list_of(3, 7)), a.mode = choice::bilinear;
  const auto f = [=](const auto& x) { return upsample(x, interpolation = a); };
  const auto g = [](const at::Tensor& x) { return at::upsample_bilinear2d(x, std::vector<std::int64_t>{3, 7}, false); };
  for (const std::int64_t n : {0, 1, 5}) check(f, g, per_sample(normal({n, 2, 5, 4})));
  check(f, g, per_sample(normal({2, 3, 5, 4}), 1));
  const at::Tensor x = at::rand({3, 5, 4});
  refused([&] { upsample(x, interpolation = a); }, "upsample: [3, 5, 4], size (3, 7): no rule for these ranks");
}

}  // namespace koila::test
