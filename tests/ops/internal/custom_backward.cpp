// SPDX-License-Identifier: MIT
#include <koila/ops/custom/custom.hpp>

#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("custom_backward") {
  // A callable of several kernels, compared with LibTorch's autograd of the same function: the
  // value and the gradients, for the whole batch and in chunks.
  const auto layer = [](const at::Tensor& x, const at::Tensor& w) { return at::tanh(at::linear(x, w)).mul(2) + 1; };
  const input<float64, batch, 3> x{"x"};
  const parameter<float64, 2, 3> w{"w"};
  const at::Tensor values = normal({7, 3}), start = normal({2, 3});  // (batch, 3), (2, 3)
  set(w, start);
  const at::Tensor leaf = start.clone().requires_grad_();
  const at::Tensor want = layer(values, leaf).square().sum();
  want.backward();
  for (const bool rows : {false, true}) {
    const auto y = let(custom(layer, x, w, koila::per_sample = rows, koila::workspace = 2 * 7 * 2 * 8,
                              koila::backward_workspace = 2 * 7 * 2 * 8));
    const auto loss = sum(y * y);
    for (const index_t chunk : {7, 4, 1}) {
      tensor_of(w).mutable_grad().reset();
      same(backward(loss, {.chunk = chunk}, x = values), want.detach());
      same(tensor_of(w).grad(), leaf.grad());
    }
    // Autograd is on inside the callable even if the caller has turned it off.
    const at::NoGradGuard off;
    same(run(gradient(loss, w), x = values), leaf.grad());
    const c10::InferenceMode inference;
    same(run(gradient(loss, w), x = values), leaf.grad());
  }
  // A tensor that the callable captures and detaches is not an operand and gets no gradient.
  const at::Tensor held = at::ones({3}, at::kDouble).requires_grad_();
  const auto with_held =
      custom([=](const at::Tensor& t) { return at::mul(t, held.detach()); }, x, rule = [](const dims& d) { return d; },
             koila::workspace = 0, koila::backward_workspace = 0);
  same(run(gradient(sum(with_held), x), x = values), at::ones_like(values));
  CHECK(!held.grad().defined());
}

TEST_CASE("custom_backward: a callable without gradient is refused before anything runs") {
  const input<float64, batch, 3> x{"x"};
  const at::Tensor values = normal({5, 3});
  const auto loss = [&](const auto& f, const auto&... as) {
    return sum(custom(f, x, as..., koila::workspace = 0, koila::backward_workspace = 0));
  };
  const auto untold = sum(custom([](const at::Tensor& t) { return at::exp(t); }, x, koila::workspace = 0));
  same(run(untold, x = values), at::exp(values).sum());
  refused([&] { (void)run(gradient(untold, x), x = values); },
          "custom: its gradient is asked for, and no backward_workspace = bytes is stated");
  const auto cut = [](const at::Tensor& t) { return at::neg(t.detach()); };
  const auto sentence = "custom: autograd has no gradient of the callable's result with respect to operand 0";
  refused([&] { (void)run(gradient(loss(cut), x), x = values); }, sentence);
  // If the result's dims are stated, the mistake is found when the callable runs.
  CHECK_THROWS_WITH(run(gradient(loss(cut, rule = [](const dims& d) { return d; }), x), x = values), sentence);
}

}  // namespace koila::test
