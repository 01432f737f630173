// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("dropout_attention_backward") {
  // dropout_attention.cpp compares values and gradients with those of dropout on all weights. This
  // test checks the cases in which all weights or no weights are dropped, and a directional
  // derivative.
  const at::Tensor q = normal({2, 4, 3}), k = normal({2, 5, 3}), v = normal({2, 5, 2}), dy = normal({2, 4, 2}),
                   y = normal({2, 4, 2});
  const at::Tensor mask = normal({4, 5}) > -1;
  same(dropout_attention_backward(dy, y, q, k, v, dropout_p = 0.0), attention_backward(dy, y, q, k, v));
  same(dropout_attention_backward(dy, y, q, k, v, mask, dropout_p = 0.0), attention_backward(dy, y, q, k, v, mask));
  const at::Tensor none = dropout_attention_backward(dy, y, q, k, v, dropout_p = 1.0);
  CHECK(none.narrow(1, 9, 5).eq(0).all().item<bool>());  // the gradient with respect to the values

  // The dropped weights depend on the sample, not on the chunk.
  const bound x = some_input({6, 2, 5, 3}, 0);
  drawn(dropout_attention_backward(x.leaf, x.leaf, x.leaf, x.leaf, x.leaf, dropout_p = 0.5), x);

  const auto loss = sum(square(dropout_attention_backward(x.leaf, x.leaf, x.leaf, x.leaf, x.leaf, dropout_p = 0.5)));
  const at::Tensor along = normal({6, 2, 5, 3});
  const auto at_step = [&](const auto& e, double h) {
    manual_seed(7);
    return run(e, binding<at::Tensor>{x.leaf.state, x.value + along * h});
  };
  const double h = 1e-4, quotient = (at_step(loss, h) - at_step(loss, -h)).item<double>() / (2 * h);
  const double slope = (at_step(gradient(loss, x.leaf), 0) * along).sum().item<double>();
  CHECK(std::abs(slope - quotient) <= 1e-6 * std::abs(quotient));

  const at::Tensor narrow = normal({2, 4, 1});
  refused(
      [&] { dropout_attention_backward(narrow, y, q, k, v); },
      "dropout_attention_backward: float64[2, 4, 1] x float64[2, 4, 2] x float64[2, 4, 3] x float64[2, 5, 3] x float64[2, 5, "
      "2]: shapes differ");
}

}  // namespace koila::test
