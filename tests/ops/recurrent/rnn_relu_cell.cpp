// SPDX-License-Identifier: MIT
#include "ops/check_rnn.hpp"

namespace koila::test {

TEST_CASE("rnn_relu_cell") {
  const auto f = [](const auto&... x) { return rnn_relu_cell(x...); };
  check_rnn_cell(f, [](const auto&... x) { return at::rnn_relu_cell(x...); });
  const at::Tensor x = at::ones({2, 4}), h = at::ones({2, 3}), w = at::ones({3, 5}), u = at::ones({3, 3});
  refused([&] { f(x, h, w, u); }, "rnn_relu_cell: [2, 4] x [2, 3] x [3, 5] x [3, 3]: in_features differ");
}

}  // namespace koila::test
