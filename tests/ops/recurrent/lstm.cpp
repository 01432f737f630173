// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("lstm") {
  const auto w_ih = whole(normal({12, 4})), w_hh = whole(normal({12, 3})), b = whole(normal({12}));
  const auto reversed = [](bool reverse, const at::Tensor& t) { return reverse ? t.flip(0) : t; };
  for (const bool reverse : {false, true}) {
    const auto f = [&](const auto&... t) { return lstm(t..., koila::reverse = reverse); };
    const auto g = [&](const at::Tensor& x, const at::Tensor& h, const at::Tensor& c, const at::Tensor& w,
                       const at::Tensor& u, const at::Tensor& b) {
      const auto y = at::lstm(reversed(reverse, x), {h.unsqueeze(0), c.unsqueeze(0)}, {w, u, b, at::zeros_like(b)},
                              true, 1, 0.0, false, false, false);
      return reversed(reverse, std::get<0>(y));
    };
    for (const auto n : {1, 2, 5}) {
      const auto x = per_sample(normal({4, n, 4}), 1), h = per_sample(normal({n, 3})), c = per_sample(normal({n, 3}));
      check({.twice = n == 2 && !reverse}, f, g, x, h, c, w_ih, w_hh, b);
      if (n != 2) continue;
      const auto without = [&](const at::Tensor& x, const at::Tensor& h, const at::Tensor& c, const at::Tensor& w,
                               const at::Tensor& u) { return g(x, h, c, w, u, at::zeros({12}, x.options())); };
      check({.twice = false}, f, without, x, h, c, w_ih, w_hh);
    }
    if (reverse) continue;
    // The input is so large that lstm multiplies it by the weight one time step at a time. The
    // layer is wide and has few rows, because LibTorch adds the gradient of a bias row by row in
    // float32.
    check({.twice = false}, f, g, per_sample(normal({4, 130, 3}), 1), per_sample(normal({130, 256})),
          per_sample(normal({130, 256})), whole(normal({1024, 3}) * 0.1), whole(normal({1024, 256}) * 0.03),
          whole(normal({1024})));
  }
  // The sequence is longer than one call of `cat` can join.
  const auto long_one = [](const auto&... t) { return lstm(t...); };
  const auto theirs = [](const at::Tensor& x, const at::Tensor& h, const at::Tensor& c, const at::Tensor& w,
                         const at::Tensor& u) {
    return std::get<0>(at::lstm(x, {h.unsqueeze(0), c.unsqueeze(0)}, {w, u}, false, 1, 0.0, false, false, false));
  };
  check({.twice = false}, long_one, theirs, per_sample(normal({40, 3, 4}), 1), per_sample(normal({3, 3})),
        per_sample(normal({3, 3})), w_ih, w_hh);

  const auto t = [](at::IntArrayRef sizes) { return at::ones(sizes); };
  const auto refuse = [](const std::string& sentence, const auto&... x) {
    refused([&] { (void)lstm(x...); }, sentence);
  };
  refuse("lstm: [5, 4] x [2, 3] x [2, 3] x [12, 4] x [12, 3]: no rule for these ranks", t({5, 4}), t({2, 3}), t({2, 3}),
         t({12, 4}), t({12, 3}));
  refuse("lstm: [5, 2, 4] x [2, 3] x [2, 3] x [9, 4] x [12, 3]: the hidden sizes differ", t({5, 2, 4}), t({2, 3}),
         t({2, 3}), t({9, 4}), t({12, 3}));
  refuse("lstm: [5, 2, 4] x [2, 3] x [2, 4] x [12, 4] x [12, 3]: the hidden sizes differ", t({5, 2, 4}), t({2, 3}),
         t({2, 4}), t({12, 4}), t({12, 3}));
  refuse("lstm: [5, 2, 6] x [2, 3] x [2, 3] x [12, 4] x [12, 3]: in_features differ", t({5, 2, 6}), t({2, 3}),
         t({2, 3}), t({12, 4}), t({12, 3}));
  refuse("lstm: [5, 3, 4] x [2, 3] x [2, 3] x [12, 4] x [12, 3]: batch dimensions differ", t({5, 3, 4}), t({2, 3}),
         t({2, 3}), t({12, 4}), t({12, 3}));
  STATIC_REQUIRE(
      !Accepts<struct lstm, shape<5, batch, 4>, shape<batch, 3>, shape<batch, 3>, shape<12, 5>, shape<12, 3>>);
}

namespace {

inline constexpr struct times : axis<times> {
  using axis::operator=;
} times;

}  // namespace

TEST_CASE("trials A2: lstm, gru and rnn keep a named time axis") {
  const input<float64, times, batch, 3> x{"x"};
  const parameter<float64, 12, 3> w_lstm{"w"}, u_lstm{"u"};
  const parameter<float64, 9, 3> w_gru{"w"}, u_gru{"u"};
  const parameter<float64, 3, 3> w_rnn{"w"}, u_rnn{"u"};
  const auto state = input<float64, batch, 3>{"h"};
  const at::Tensor given = normal({7, 6, 3}), first = normal({6, 3});
  const auto check = [&](const auto& f, const auto& w, const auto& u, const at::Tensor& want) {
    const auto y = f(x, state, w, u);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(x + y)>, shape_t<decltype(x)>>);
    for (const index_t chunk : {6, 1, 4}) {
      const options o{.chunk = chunk};
      same(run(x + y, o, x = given, state = first), given + want);
      // Reads single steps of y and the whole of y, so that both contribute to the gradient.
      const auto loss = sum((x + y) * y) + sum(select(y, 0_c, -1_c) * state) + sum(narrow(y, 0_c, 1_c, 2_c));
      const at::Tensor g = run(gradient(loss, w), o, x = given, state = first);
      CHECK(at::isfinite(g).all().item<bool>());
    }
  };
  const auto made = [&](const auto& p, at::IntArrayRef sizes) {
    const at::Tensor t = normal(sizes) * 0.3;
    set(p, t);
    return t;
  };
  const at::Tensor wl = made(w_lstm, {12, 3}), ul = made(u_lstm, {12, 3}), wg = made(w_gru, {9, 3}),
                   ug = made(u_gru, {9, 3}), wr = made(w_rnn, {3, 3}), ur = made(u_rnn, {3, 3}), h = first.unsqueeze(0);
  for (const bool back : {false, true}) {
    const auto transposed = [&](const at::Tensor& t) { return back ? t.flip(0) : t; };
    check([&](const auto& x, const auto& h, const auto& w,
              const auto& u) { return lstm(x, h, h, w, u, koila::reverse = back); },
          w_lstm, u_lstm,
          transposed(std::get<0>(at::lstm(transposed(given), {h, h}, {wl, ul}, false, 1, 0.0, false, false, false))));
    check([&](const auto&... t) { return gru(t..., koila::reverse = back); }, w_gru, u_gru,
          transposed(std::get<0>(at::gru(transposed(given), h, {wg, ug}, false, 1, 0.0, false, false, false))));
    check([&](const auto&... t) { return rnn_tanh(t..., koila::reverse = back); }, w_rnn, u_rnn,
          transposed(std::get<0>(at::rnn_tanh(transposed(given), h, {wr, ur}, false, 1, 0.0, false, false, false))));
    check([&](const auto&... t) { return rnn_relu(t..., koila::reverse = back); }, w_rnn, u_rnn,
          transposed(std::get<0>(at::rnn_relu(transposed(given), h, {wr, ur}, false, 1, 0.0, false, false, false))));
  }
}

}  // namespace koila::test
