// SPDX-License-Identifier: MIT
#include "ops/check_multilabel.hpp"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

namespace koila::test {

TEST_CASE("multilabel_margin_backward") {
  const auto f = [](const auto& dy, const auto& x, const auto& target) {
    return multilabel_margin_backward(dy, x, target);
  };
  // The gradient of each sample is the gradient for a dy of 1, times dy. The op is constant in x.
  const auto g = [](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& target) {
    const at::AutoGradMode enabled(true);
    const at::Tensor copy = x.detach().clone().set_requires_grad(true),
                     each = at::multilabel_margin_loss(copy.contiguous(), target, at::Reduction::None);
    return dy.unsqueeze(-1) * torch::autograd::grad({each.sum()}, {copy})[0];
  };
  for (const auto n : batches)
    check(f, g, per_sample(normal({n})), per_sample(normal({n, 4})), per_sample(some_classes({n, 4})));
  check(f, g, whole(normal({})), whole(normal({4})), whole(some_classes({4})));
  check(f, g, whole(normal({5})), whole(normal({5, 4})), whole(some_classes({5, 4})));
  check(f, g, whole(normal({4})), per_sample(normal({4, 5}), 1), per_sample(some_classes({4, 5}), 1));
  check(f, g, whole(normal({})), per_sample(normal({5})), per_sample(some_classes({5})));
  check_typed(f, g, std::pair{input<batch>{}, normal({5}).to(at::kFloat)},
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<int64, batch, 4>{}, some_classes({5, 4})});

  const at::Tensor dy = at::rand({2}), x = at::rand({2, 3}), some = labels(6, 3).view({2, 3}), three = at::rand({3}),
                   wide = dy.to(at::kDouble), half = x.to(at::kHalf);
  refused([&] { multilabel_margin_backward(three, x, some); },
          "multilabel_margin_backward: [3] x [2, 3] x int64[2, 3]: the labels are not one per sample");
  refused([&] { multilabel_margin_backward(wide, x, some); },
          "multilabel_margin_backward: float64[2] x [2, 3] x int64[2, 3]: dtypes differ");
  refused([&] { multilabel_margin_backward(dy, half, some); },
          "multilabel_margin_backward: [2] x float16[2, 3] x int64[2, 3]: no rule for these dtypes");
  CHECK_THROWS_AS(multilabel_margin_backward(dy, x, some + 3), c10::Error);
}

}  // namespace koila::test
