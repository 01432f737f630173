// SPDX-License-Identifier: MIT
#include "ops/check_rnn.hpp"

namespace koila::test {

TEST_CASE("rnn_relu") {
  const auto f = [](const auto&... x) { return rnn_relu(x...); };
  check_rnn(f, [](const auto&... x) { return at::rnn_relu(x...); });
  const at::Tensor a = at::ones({5, 2, 4}), none = at::ones({0, 2, 4}), h = at::ones({2, 3}), w = at::ones({3, 4}),
                   u = at::ones({3, 3});
  refused([&] { f(a, h, w, w); }, "rnn_relu: [5, 2, 4] x [2, 3] x [3, 4] x [3, 4]: the hidden sizes differ");
  refused([&] { f(none, h, w, u); }, "rnn_relu: [0, 2, 4] x [2, 3] x [3, 4] x [3, 3]: a size is out of range");
}

}  // namespace koila::test
