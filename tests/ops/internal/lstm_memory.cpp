// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("lstm_memory") {
  const auto w_ih = whole(normal({12, 4})), w_hh = whole(normal({12, 3})), b = whole(normal({12}));
  const auto g = [](const at::Tensor& x, const at::Tensor& h, const at::Tensor& c, const at::Tensor& w,
                    const at::Tensor& u, const at::Tensor& b) {
    return std::get<2>(at::lstm(x, {h.unsqueeze(0), c.unsqueeze(0)}, {w, u, b, at::zeros_like(b)}, true, 1, 0.0, false,
                                false, false))
        .squeeze(0);
  };
  const auto f = [](const auto&... t) { return lstm_memory(t...); };
  const auto without = [&](const at::Tensor& x, const at::Tensor& h, const at::Tensor& c, const at::Tensor& w,
                           const at::Tensor& u) { return g(x, h, c, w, u, at::zeros({12}, x.options())); };
  for (const auto n : {1, 5}) {
    const auto x = per_sample(normal({3, n, 4}), 1), h = per_sample(normal({n, 3})), c = per_sample(normal({n, 3}));
    check({.twice = false}, f, g, x, h, c, w_ih, w_hh, b);
    check({.twice = n == 5}, f, without, x, h, c, w_ih, w_hh);
  }
  const auto t = [](at::IntArrayRef sizes) { return at::ones(sizes); };
  const auto refuse = [](const std::string& sentence, const auto&... x) {
    refused([&] { (void)lstm_memory(x...); }, sentence);
  };
  refuse("lstm_memory: [5, 2, 4] x [2, 3] x [2, 3] x [12, 4] x [9, 3]: the hidden sizes differ", t({5, 2, 4}),
         t({2, 3}), t({2, 3}), t({12, 4}), t({9, 3}));
}

}  // namespace koila::test
