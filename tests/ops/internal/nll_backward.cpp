// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("nll_backward") {
  const auto f = [](const auto& dy, const auto& x, const auto& label) { return nll_backward(dy, x, label); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& label) {
    const at::Tensor counted = label != -100;  // (samples)
    return at::zeros_like(x).scatter(-1, label.clamp_min(0).unsqueeze(-1), (-dy * counted).unsqueeze(-1)) + 0 * x;
  };
  for (const auto n : batches)
    for (const bool ignored : {false, true})
      check(f, g, per_sample(normal({n})), per_sample(normal({n, 4})), per_sample(labels(n, 4, ignored)));
  check(f, g, whole(normal({})), whole(normal({4})), whole(labels(1, 4)[0]));
  check_typed(f, g, std::pair{input<batch>{}, normal({5}).to(at::kFloat)},
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<int64, batch>{}, labels(5, 4)});
  const at::Tensor rows = at::rand({5, 3}), label = labels(5, 3), dy = at::rand({5}), fewer = at::rand({2, 3}),
                   wide = dy.to(at::kDouble), real = at::zeros({5});
  refused([&] { nll_backward(dy, fewer, label); },
          "nll_backward: [5] x [2, 3] x int64[5]: the labels are not one per sample");
  refused([&] { nll_backward(fewer, rows, label); },
          "nll_backward: [2, 3] x [5, 3] x int64[5]: the labels are not one per sample");
  refused([&] { nll_backward(dy, rows, real); }, "nll_backward: [5] x [5, 3] x [5]: the labels are not int64");
  refused([&] { nll_backward(wide, rows, label); }, "nll_backward: float64[5] x [5, 3] x int64[5]: dtypes differ");
}

}  // namespace koila::test
