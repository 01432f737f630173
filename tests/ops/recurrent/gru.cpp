// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("gru") {
  const auto w_ih = whole(normal({9, 4})), w_hh = whole(normal({9, 3}));
  const auto reversed = [](bool reverse, const at::Tensor& t) { return reverse ? t.flip(0) : t; };
  for (const bool reverse : {false, true})
    for (const auto n : {1, 5}) {
      const auto x = per_sample(normal({4, n, 4}), 1), h = per_sample(normal({n, 3}));
      const auto f = [&](const auto&... t) { return gru(t..., koila::reverse = reverse); };
      const auto g = [&](const at::Tensor& x, const at::Tensor& h, const at::Tensor& w, const at::Tensor& u,
                         const at::Tensor& b0, const at::Tensor& b1) {
        return reversed(reverse, std::get<0>(at::gru(reversed(reverse, x), h.unsqueeze(0), {w, u, b0, b1}, true, 1, 0.0,
                                                     false, false, false)));
      };
      const auto without = [&](const at::Tensor& x, const at::Tensor& h, const at::Tensor& w, const at::Tensor& u) {
        return reversed(reverse, std::get<0>(at::gru(reversed(reverse, x), h.unsqueeze(0), {w, u}, false, 1, 0.0, false,
                                                     false, false)));
      };
      check({.twice = false}, f, g, x, h, w_ih, w_hh, whole(normal({9})), whole(normal({9})));
      check({.twice = n == 5 && !reverse}, f, without, x, h, w_ih, w_hh);
    }
  // The input is so large that gru multiplies it by the weight one time step at a time.
  const auto by_steps = [](const auto&... t) { return gru(t...); };
  const auto theirs = [](const at::Tensor& x, const at::Tensor& h, const at::Tensor& w, const at::Tensor& u,
                         const at::Tensor& b0, const at::Tensor& b1) {
    return std::get<0>(at::gru(x, h.unsqueeze(0), {w, u, b0, b1}, true, 1, 0.0, false, false, false));
  };
  check({.twice = false}, by_steps, theirs, per_sample(normal({8, 350, 3}), 1), per_sample(normal({350, 64})),
        whole(normal({192, 3}) * 0.1), whole(normal({192, 64}) * 0.1), whole(normal({192})), whole(normal({192})));

  const auto t = [](at::IntArrayRef sizes) { return at::ones(sizes); };
  const auto refuse = [](const std::string& sentence, const auto&... x) {
    refused([&] { (void)gru(x...); }, sentence);
  };
  refuse("gru: [5, 2, 4] x [2, 3] x [9, 4] x [9, 4]: the hidden sizes differ", t({5, 2, 4}), t({2, 3}), t({9, 4}),
         t({9, 4}));
  refuse("gru: [0, 2, 4] x [2, 3] x [9, 4] x [9, 3]: a size is out of range", t({0, 2, 4}), t({2, 3}), t({9, 4}),
         t({9, 3}));
}

}  // namespace koila::test
