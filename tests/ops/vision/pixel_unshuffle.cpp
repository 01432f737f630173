// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("pixel_unshuffle") {
  const auto f = [](const auto& x) { return pixel_unshuffle(x, 2); };
  const auto g = [](const at::Tensor& x) { return at::pixel_unshuffle(x, 2); };
  for (const std::int64_t n : {1, 2, 3, 5, 8})
    check(f, g, per_sample(normal({n, 2, 6, 4})));  // for an empty batch, LibTorch returns different dims
  check(f, g, per_sample(normal({3, 2, 2, 6, 4}), 1));
  check(f, g, whole(normal({2, 6, 4})));
  check([](const auto& x) { return pixel_unshuffle(relu(x), 2_c); },
        [](const at::Tensor& x) { return at::pixel_unshuffle(x.relu(), 2); },
        per_sample(normal({4, 6, 4}), 1));  // the batch dim becomes a dim of pixels
  check_typed([](const auto& x) { return pixel_unshuffle(x, 2_c); }, g,
              std::pair{input<batch, 2, 6, 4>{}, normal({3, 2, 6, 4}).to(at::kFloat)});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(pixel_unshuffle(input<batch, 2, 6, 4>{}, 2_c))>, shape_t<input<batch, 8, 3, 2>>>);
  same(pixel_unshuffle(at::arange(48).view({2, 6, 4}), 2), at::pixel_unshuffle(at::arange(48).view({2, 6, 4}), 2));

  const at::Tensor t = at::rand({4, 2, 3}), two = at::rand({2, 2});
  refused([&] { pixel_unshuffle(t, 2); }, "pixel_unshuffle: [4, 2, 3] by 2: the dim is not divisible by it");
  refused([&] { pixel_unshuffle(two, 2); }, "pixel_unshuffle: [2, 2] by 2: no rule for these ranks");
}

}  // namespace koila::test
