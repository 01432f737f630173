// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("pad_backward") {
  const auto f = [](const auto& by, auto chosen) {
    return [=](const auto& dy, const auto& x) { return pad_backward(dy, x, by, chosen); };
  };
  for (const auto n : batches)
    check(
        f(list_of(1, 2), kConstant),
        [](const at::Tensor& dy, const at::Tensor& x) { return dy.narrow(-1, 1, 3) + 0 * x; },
        per_sample(normal({n, 6})), per_sample(normal({n, 3})));
  check(
      f(list_of(1, 1), kReflect),
      [](const at::Tensor& dy, const at::Tensor& x) { return at::reflection_pad1d_backward(dy, x, {1, 1}) + 0 * x; },
      per_sample(normal({5, 5})), per_sample(normal({5, 3})));
  check(
      f(list_of(0, 0, 1, 0), kConstant),
      [](const at::Tensor& dy, const at::Tensor& x) { return dy.narrow(0, 1, 5) + 0 * x; }, whole(normal({6, 3})),
      per_sample(normal({5, 3})));
  check_typed(
      f(list_of(1_c, 0_c), kConstant),
      [](const at::Tensor& dy, const at::Tensor& x) { return dy.narrow(1, 1, 3) + 0 * x; },
      std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
      std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  const at::Tensor t = at::rand({2, 3});
  refused([&] { pad_backward(t, t, list_of(3, 0), kReflect); },
          "pad_backward: [2, 3] x [2, 3] by (3, 0): a size is out of range");
  const at::Tensor padded = at::rand({2, 5}), longer = at::rand({2, 6}), wide = padded.to(at::kDouble);
  refused([&] { pad_backward(longer, t, list_of(1, 1), kCircular); },
          "pad_backward: [2, 6] x [2, 3] by (1, 1): shapes differ");
  refused([&] { pad_backward(t, t, list_of(1, 1), kReflect); },
          "pad_backward: [2, 3] x [2, 3] by (1, 1): shapes differ");
  refused([&] { pad_backward(wide, t, list_of(1, 1)); },
          "pad_backward: float64[2, 5] x [2, 3] by (1, 1): dtypes differ");
}

}  // namespace koila::test
