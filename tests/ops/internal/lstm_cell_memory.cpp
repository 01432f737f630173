// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("lstm_cell_memory") {
  const auto w_ih = whole(normal({12, 4})), w_hh = whole(normal({12, 3})), b = whole(normal({12}));
  const auto f = [](const auto&... t) { return lstm_cell_memory(t...); };
  const auto g = [](const at::Tensor& x, const at::Tensor& h, const at::Tensor& c, const at::Tensor& w,
                    const at::Tensor& u,
                    const at::Tensor& b) { return std::get<1>(at::lstm_cell(x, {h, c}, w, u, b, at::zeros_like(b))); };
  const auto without = [](const at::Tensor& x, const at::Tensor& h, const at::Tensor& c, const at::Tensor& w,
                          const at::Tensor& u) { return std::get<1>(at::lstm_cell(x, {h, c}, w, u)); };
  for (const auto n : {0, 1, 5}) {
    const auto x = per_sample(normal({n, 4})), h = per_sample(normal({n, 3})), c = per_sample(normal({n, 3}));
    check({.twice = false}, f, g, x, h, c, w_ih, w_hh, b);
    check({.twice = n == 5}, f, without, x, h, c, w_ih, w_hh);
  }
  const auto t = [](at::IntArrayRef sizes) { return at::ones(sizes); };
  const auto refuse = [](const std::string& sentence, const auto&... x) {
    refused([&] { (void)lstm_cell_memory(x...); }, sentence);
  };
  refuse("lstm_cell_memory: [2, 4] x [2, 3] x [2, 3] x [12, 5] x [12, 3]: in_features differ", t({2, 4}), t({2, 3}),
         t({2, 3}), t({12, 5}), t({12, 3}));
  refuse("lstm_cell_memory: [2, 4] x [2, 3] x [2, 3] x [12, 4] x [12, 3] x [3]: the bias is not (out_features)",
         t({2, 4}), t({2, 3}), t({2, 3}), t({12, 4}), t({12, 3}), t({3}));
}

}  // namespace koila::test
