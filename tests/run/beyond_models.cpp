// SPDX-License-Identifier: MIT
// Features that the Python package lacked, each listed by its name: models, deep graphs, shared
// values.
#include "run/beyond.hpp"

#include <koila/nn/nn.hpp>

#include <c10/core/GradMode.h>

using namespace koila;
using namespace ::test;

namespace {

constexpr nn::linear_options wide{.type = float64};

/// A model of numbers and a category of the same sample. Its three inputs have three shapes and two
/// dtypes.
struct two_towers {
  nn::linear<4, 8> left{"left"};
  nn::linear<3, 8> right{"right"};
  nn::embedding<5, 8> kind{"kind"};
  nn::linear<8, 2> head{"head"};
  auto operator()(const auto& a, const auto& b, const auto& category) const {
    return head(relu(left(a)) * right(b) + kind(category));
  }
};

/// The block h + W2 * tanh(W1 * h + b1) + b2.
struct block {
  nn::linear<6, 5, wide> inner{"inner"};
  nn::linear<5, 6, wide> outer{"outer"};
  auto operator()(const auto& h) const { return h + outer(tanh(inner(h))); }
};
template <std::size_t N>
struct residual {
  nn::repeated<block, N> blocks{"blocks"};
  auto operator()(const auto& x) const {
    erased<float64, batch, 6> h = x;
    for (const block& b : blocks) h = b(h);
    return h;
  }
};

/// Counts the nodes of a plan with the gradients of all parameters.
auto nodes_of(const auto& loss, const auto&... bound) -> index_t {
  return static_cast<index_t>(plan(loss, bound...).graph.nodes.size());
}

}  // namespace

TEST_CASE("beyond the Python package: models") {
  at::manual_seed(44);
  const c10::AutoGradMode without(false);

  SECTION("modules with several inputs") {
    const two_towers net;
    const input<batch, 4> a{"a"};
    const input<batch, 3> b{"b"};
    const input<int64, batch> category{"category"};
    const at::Tensor t = at::randn({7, 4}), u = at::randn({7, 3}), k = at::randint(5, {7}, at::kLong);
    const auto p = parameters(net);
    const auto reference = [&] {
      const at::Tensor h = at::linear(t, p[0], p[1]).relu() * at::linear(u, p[2], p[3]) + at::embedding(p[4], k);
      return at::linear(h, p[5], p[6]);
    };
    const auto y = net(a, b, category);
    STATIC_REQUIRE(typed<decltype(y), batch, 2>);
    closely(y, reference(), a = t, b = u, category = k);
    CHECK(relative_error(net(t, u, k), reference()) <= 1e-6);
    closely(net(a, u, category), reference(), a = t, category = k);  // u is a plain tensor
    {
      const c10::AutoGradMode with(true);
      reference().square().sum().backward();
    }
    std::vector<at::Tensor> wanted;
    for (const auto& q : p) wanted.push_back(q.grad().clone());
    for (const index_t chunk : chunks_of(7)) {
      for (const auto& q : p) q.mutable_grad() = at::Tensor();
      (void)backward(sum(y * y), {.chunk = chunk}, a = t, b = u, category = k);
      for (std::size_t i = 0; i < p.size(); ++i) CHECK(relative_error(p[i].grad(), wanted[i]) <= 2e-6);
    }
  }
  SECTION("LSTM, GRU, attention") {
    const at::Tensor t = at::randn({6, 5, 8});  // (time, samples, features)
    const input<6, batch, 8> x{"x"};
    {
      const nn::lstm<8, 4, nn::rnn_options{.layers = 2}> net;
      const at::Tensor zero = at::zeros({2, 5, 4});
      const auto [want, want_h, want_c] = at::lstm(t, {zero, zero}, parameters(net), true, 2, 0, false, false, false);
      const auto [y, h, c] = net(x);
      STATIC_REQUIRE(typed<decltype(y), 6, batch, 4>);
      STATIC_REQUIRE(typed<decltype(h), 2, batch, 4>);
      closely(y, want, x = t);
      closely(h, want_h, x = t);
      closely(c, want_c, x = t);
      at::Tensor odd = t.clone();
      odd[0][0][0] = std::numeric_limits<float>::infinity();  // a product with the zero initial state would give NaN
      closely(y, std::get<0>(at::lstm(odd, {zero, zero}, parameters(net), true, 2, 0, false, false, false)), x = odd);
      const auto [y_at_once, h_at_once, c_at_once] = net(t);
      CHECK(relative_error(y_at_once, want) <= 1e-6);
      CHECK(relative_error(h_at_once, want_h) <= 1e-6);
      CHECK(relative_error(c_at_once, want_c) <= 1e-6);
    }
    {
      const nn::gru<8, 4> net;
      const auto [want, want_h] = at::gru(t, at::zeros({1, 5, 4}), parameters(net), true, 1, 0, false, false, false);
      const auto [y, h] = net(x);
      STATIC_REQUIRE(typed<decltype(y), 6, batch, 4>);
      closely(y, want, x = t);
      closely(h, want_h, x = t);
      CHECK(relative_error(std::get<0>(net(t)), want) <= 1e-6);
      CHECK(relative_error(std::get<1>(net(t)), want_h) <= 1e-6);
    }
    {
      const nn::multihead_attention<8, 2> net;
      const auto p = parameters(net);
      const input<batch, 6, 8> q{"q"};
      const input<batch, 3, 8> memory{"memory"};
      const at::Tensor s = at::randn({5, 6, 8}), m = at::randn({5, 3, 8});  // (samples, time, features)
      const auto heads = [](const at::Tensor& v) { return v.unflatten(-1, {2, 4}).transpose(1, 2); };
      const auto reference = [&](const at::Tensor& to) {
        const auto w = p[0].chunk(3), c = p[1].chunk(3);
        const at::Tensor v = at::scaled_dot_product_attention(
            heads(at::linear(s, w[0], c[0])), heads(at::linear(to, w[1], c[1])), heads(at::linear(to, w[2], c[2])));
        return at::linear(v.transpose(1, 2).flatten(2), p[2], p[3]);
      };
      STATIC_REQUIRE(typed<decltype(net(q)), batch, 6, 8>);
      closely(net(q), reference(s), q = s);
      closely(net(q, memory, memory), reference(m), q = s, memory = m);
      CHECK(relative_error(net(s, m, m), reference(m)) <= 1e-6);
      closely(scaled_dot_product_attention(q, memory, memory), at::scaled_dot_product_attention(s, m, m), q = s,
              memory = m);
    }
  }
  SECTION("a diamond: d - d of one dropout is zero") {
    const input<batch, 4> x{"x"};
    const at::Tensor t = at::randn({9, 4}), none = at::zeros({9, 4});
    const auto d = dropout(x, 0.5);
    const auto e = let(dropout(x, 0.5));
    exactly(d - d, none, x = t);
    exactly(e - e, none, x = t);
    exactly(gradient(sum((e - e) * e), x), none, x = t);
    for (const index_t chunk : chunks_of(9)) {
      CHECK(run(d, {.chunk = chunk}, x = t).ne(0).any().item<bool>());
      CHECK(run(d - dropout(x, 0.5), {.chunk = chunk}, x = t).ne(0).any().item<bool>());  // two dropouts are two nodes
    }
    const auto y = let(koila::exp(x));
    closely(y * y + y, t.exp() * t.exp() + t.exp(), x = t);
  }
}

TEST_CASE("beyond the Python package: deep graphs") {
  at::manual_seed(45);
  SECTION("a chain of 10,000 ops") {
    const input<batch, 4> x{"x"};
    const parameter<4> w{"w"};
    set(w, at::ones({4}));
    const at::Tensor t = at::randint(-5, 6, {7, 4}, at::kFloat);  // sums of integers are exact
    const auto chain = [&](int n) {
      erased<batch, 4> h = x;
      for (int i = 0; i < n; ++i) h = h + w;
      return h;
    };
    const auto h = chain(10'000);
    exactly(h, t + 10'000, x = t);
    exactly(gradient(sum(h), w), at::full({4}, 70'000.0F), x = t);
    const auto nodes = [&](int n) { return static_cast<index_t>(plan(chain(n), x = t).graph.nodes.size()); };
    CHECK(nodes(10'000) - nodes(5'000) == 5'000);
    // Each value is freed as soon as the next value is computed.
    CHECK(plan(h, {.chunk = 7}, x = t).peak_bytes() == plan(chain(100), {.chunk = 7}, x = t).peak_bytes());
  }
  SECTION("a residual network of 50 blocks in time linear in the blocks") {
    const input<float64, batch, 6> x{"x"};
    const at::Tensor t = at::randn({7, 6}, at::kDouble);
    const residual<50> net;
    const auto p = parameters(net);
    const auto reference = [&] {
      at::Tensor h = t;
      for (std::size_t i = 0; i < p.size(); i += 4)
        h = h + at::linear(at::linear(h, p[i], p[i + 1]).tanh(), p[i + 2], p[i + 3]);
      return h;
    };
    const auto y = net(x);
    const auto loss = mean(y * y);
    STATIC_REQUIRE(typed<decltype(y), float64, batch, 6>);
    closely(y, reference().detach(), x = t);
    reference().square().mean().backward();
    std::vector<at::Tensor> wanted;
    for (const auto& q : p) wanted.push_back(q.grad().clone());
    for (const index_t chunk : chunks_of(7)) {
      for (const auto& q : p) q.mutable_grad() = at::Tensor();
      (void)backward(loss, {.chunk = chunk}, x = t);
      for (std::size_t i = 0; i < p.size(); ++i) CHECK(relative_error(p[i].grad(), wanted[i]) <= 1e-12);
    }
    // At any depth, each block adds the same number of nodes and steps, forward and backward.
    const auto both = [&](const auto& deep) {
      const auto z = deep(x);
      const memory_plan plain = plan(z, {.chunk = 2}, x = t), trained = plan(mean(z * z), {.chunk = 2}, x = t);
      return std::array{static_cast<index_t>(plain.graph.nodes.size()),
                        static_cast<index_t>(trained.graph.nodes.size()),
                        static_cast<index_t>(trained.buffers.step_node.size())};
    };
    const auto n25 = both(residual<25>()), n50 = both(net), n75 = both(residual<75>());
    for (std::size_t k = 0; k < n25.size(); ++k) {
      CHECK(n50[k] - n25[k] == n75[k] - n50[k]);
      CHECK((n50[k] - n25[k]) % 25 == 0);
      CHECK(n50[k] <= 2 * n25[k]);
    }
    CHECK((n50[0] - n25[0]) / 25 == 4 + 4);  // two products, tanh and the sum; four parameters
  }
}
