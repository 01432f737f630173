// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("pixel_shuffle") {
  const auto f = [](const auto& x) { return pixel_shuffle(x, 2); };
  const auto g = [](const at::Tensor& x) { return at::pixel_shuffle(x, 2); };
  for (const auto n : batches)
    check(ask{.gradients = n > 0}, f, g,
          per_sample(normal({n, 8, 3, 2})));  // for an empty batch, LibTorch's gradient has different dims
  check(f, g, per_sample(normal({3, 2, 8, 3, 2}), 1));
  check(f, g, whole(normal({8, 3, 2})));
  check([](const auto& x) { return pixel_shuffle(relu(x), 2_c); },
        [](const at::Tensor& x) { return at::pixel_shuffle(x.relu(), 2); },
        per_sample(normal({4, 6, 4}), 1));  // the batch dim becomes a dim of pixels
  check_typed([](const auto& x) { return pixel_shuffle(x, 2_c); }, g,
              std::pair{input<batch, 8, 3, 2>{}, normal({3, 8, 3, 2}).to(at::kFloat)});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(pixel_shuffle(input<batch, 8, 3, 2>{}, 2_c))>, shape_t<input<batch, 2, 6, 4>>>);
  same(pixel_shuffle(at::arange(48).view({8, 3, 2}), 2), at::pixel_shuffle(at::arange(48).view({8, 3, 2}), 2));

  const at::Tensor t = at::rand({6, 2, 2}), two = at::rand({2, 2});
  refused([&] { pixel_shuffle(t, 2); }, "pixel_shuffle: [6, 2, 2] by 2: the dim is not divisible by it");
  refused([&] { pixel_shuffle(two, 2); }, "pixel_shuffle: [2, 2] by 2: no rule for these ranks");
}

}  // namespace koila::test
