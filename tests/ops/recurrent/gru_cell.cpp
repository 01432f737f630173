// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("gru_cell") {
  const auto w_ih = whole(normal({9, 4})), w_hh = whole(normal({9, 3}));
  const auto f = [](const auto&... t) { return gru_cell(t...); };
  const auto g = [](const at::Tensor& x, const at::Tensor& h, const at::Tensor& w, const at::Tensor& u,
                    const at::Tensor& b0, const at::Tensor& b1) { return at::gru_cell(x, h, w, u, b0, b1); };
  const auto without = [](const at::Tensor& x, const at::Tensor& h, const at::Tensor& w, const at::Tensor& u) {
    return at::gru_cell(x, h, w, u);
  };
  for (const auto n : {0, 1, 5}) {
    const auto x = per_sample(normal({n, 4})), h = per_sample(normal({n, 3}));
    check({.twice = false}, f, g, x, h, w_ih, w_hh, whole(normal({9})), whole(normal({9})));
    check({.twice = n == 5}, f, without, x, h, w_ih, w_hh);
  }
  const auto t = [](at::IntArrayRef sizes) { return at::ones(sizes); };
  const auto refuse = [](const std::string& sentence, const auto&... x) {
    refused([&] { (void)gru_cell(x...); }, sentence);
  };
  refuse("gru_cell: [2, 4] x [2, 3] x [9, 5] x [9, 3]: in_features differ", t({2, 4}), t({2, 3}), t({9, 5}), t({9, 3}));
}

}  // namespace koila::test
