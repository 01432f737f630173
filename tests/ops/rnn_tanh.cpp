#include "check.hpp"

namespace koila::test {

TEST_CASE("rnn_tanh") {
  const auto w_ih = whole(normal({3, 4})), w_hh = whole(normal({3, 3}));
  const auto reversed = [](bool reverse, const at::Tensor& t) { return reverse ? t.flip(0) : t; };
  for (const bool reverse : {false, true})
    for (const auto n : {1, 5}) {
      const auto x = per_sample(normal({4, n, 4}), 1), h = per_sample(normal({n, 3}));
      const auto f = [&](const auto&... t) { return rnn_tanh(t..., koila::reverse = reverse); };
      const auto g = [&](const at::Tensor& x, const at::Tensor& h, const at::Tensor& w, const at::Tensor& u,
                         const at::Tensor& b0) {
        return reversed(reverse, std::get<0>(at::rnn_tanh(reversed(reverse, x), h.unsqueeze(0), {w, u, b0, at::zeros_like(b0)},
                                                          true, 1, 0.0, false, false, false)));
      };
      const auto without = [&](const at::Tensor& x, const at::Tensor& h, const at::Tensor& w, const at::Tensor& u) {
        return reversed(reverse, std::get<0>(at::rnn_tanh(reversed(reverse, x), h.unsqueeze(0), {w, u}, false, 1, 0.0, false,
                                                          false, false)));
      };
      check({.twice = false}, f, g, x, h, w_ih, w_hh, whole(normal({3})));
      check({.twice = n == 5 && !reverse}, f, without, x, h, w_ih, w_hh);
    }
  const auto t = [](at::IntArrayRef sizes) { return at::ones(sizes); };
  const auto refuse = [](const std::string& sentence, const auto&... x) { refused([&] { (void)rnn_tanh(x...); }, sentence); };
  refuse("rnn_tanh: [5, 2, 4] x [2, 3] x [3, 4] x [3, 4]: the hidden sizes differ", t({5, 2, 4}), t({2, 3}), t({3, 4}),
         t({3, 4}));
  refuse("rnn_tanh: [0, 2, 4] x [2, 3] x [3, 4] x [3, 3]: a size is out of range", t({0, 2, 4}), t({2, 3}), t({3, 4}),
         t({3, 3}));
}

}  // namespace koila::test
