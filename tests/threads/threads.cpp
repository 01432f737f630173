// SPDX-License-Identifier: MIT
// Two threads run the same expression. .ci/run also builds this test with ThreadSanitizer.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>

#include <barrier>
#include <thread>

using namespace koila;
using namespace ::test;

namespace {

/// Calls f(0) and f(1) on two threads that begin at the same time.
void on_two_threads(const auto& f) {
  std::barrier<> begin(2);
  const auto work = [&](int k) {
    begin.arrive_and_wait();
    f(k);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}

inline constexpr struct seq : axis<seq> {
  using axis::operator=;
} seq;

/// A block with loops that are large enough for several threads: norms, products, attention,
/// dropout, element-wise ops, sums, a convolution.
struct wide_net {
  parameter<64> scale{"scale"}, shift{"shift"};
  parameter<192, 64> of_rows{"of_rows"};
  parameter<8, 1, 3, 3> window{"window"};
  auto operator()(const auto& x) const {
    const auto rows = let(linear(layer_norm(x, scale, shift), of_rows));  // (batch, 64, 192)
    const auto part = [&](auto first) { return narrow(rows, -1_c, first, 64_c); };
    const auto y = scaled_dot_product_attention(part(0_c), part(64_c), part(128_c), dropout_p = 0.1,
                                                is_causal = true);  // (batch, 64, 64)
    const auto images = reshape(dropout(gelu(y + x), 0.25), batch, 1_c, 64_c, 64_c);
    return log_softmax(relu(conv2d(images, window, padding = 1_c)), -1_c);
  }
};

struct net_type {
  nn::linear<12, 16> a{"a"};
  nn::linear<16, 5> b{"b"};
  auto operator()(const auto& x) const { return b(relu(a(x))); }
};

}  // namespace

TEST_CASE("row 32: two threads make the parameters of an expression and run it") {
  for (int i = 0; i < 60; ++i) {
    const net_type net;
    input<batch, 12> x{"x"};
    const auto y = net(x);
    const at::Tensor images = at::randn({9, 12});
    at::Tensor got[2];
    on_two_threads([&](int k) { got[k] = run(y, {.memory = 1_GiB, .chunk = k == 0 ? 9 : 4}, x = images); });
    CHECK(::test::near(got[0], got[1]));
  }
}

TEST_CASE("row 32: two threads run one expression, with what free memory there is") {
  const net_type net;
  input<batch, 12> x{"x"};
  auto h = let(net(x));
  erased<batch, 5> e = h;
  for (int i = 0; i < 5; ++i) e = e + h * 0.1;
  const auto dropped = dropout(e, 0.5);
  const at::Tensor images = at::randn({9, 12});
  const at::Tensor expected = run(e, x = images);
  std::array<bool, 2> same{true, true};
  on_two_threads([&](int k) {
    for (int i = 0; i < 60; ++i) {
      erased<batch, 5> mine = e;  // handles are copied and dropped
      const at::Tensor got = run(mine, x = images);
      same[static_cast<std::size_t>(k)] = same[static_cast<std::size_t>(k)] && at::equal(got, expected);
      (void)run(dropped, x = images);  // both threads use the shared state of the random numbers
      (void)net(images);
      (void)plan(dropped, {.memory = 1_MiB}, x = images);
    }
  });
  CHECK(same[0]);
  CHECK(same[1]);
}

TEST_CASE("row 32: two threads run one convolution, of a shape that is new to both") {
  const parameter<6, 3, 3, 3> w{"w"};
  input<batch, 3, seq, 12> x{"x"};
  const auto y = conv2d(x, w, padding = 1_c);
  for (const index_t side : {5, 12, 33}) {
    const at::Tensor images = at::rand({4, 3, side, 12});
    at::Tensor got[2];
    on_two_threads([&](int k) { got[k] = run(y, {.memory = 1_GiB, .chunk = k == 0 ? 4 : 1}, x = images); });
    CHECK(::test::near(got[0], got[1]));
  }
}

TEST_CASE("row 32: two threads take the gradients of one expression") {
  const net_type net;
  input<batch, 12> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = cross_entropy(net(x), label);
  const auto slope = gradient(loss, net.a.weight);
  const at::Tensor images = at::randn({9, 12}), labels = labels_of(9, 5);
  const at::Tensor expected = run(slope, x = images, label = labels);
  std::array<bool, 2> same{true, true};
  on_two_threads([&](int k) {
    for (int i = 0; i < 20; ++i)
      same[static_cast<std::size_t>(k)] =
          same[static_cast<std::size_t>(k)] && at::equal(run(slope, x = images, label = labels), expected);
  });
  CHECK(same[0]);
  CHECK(same[1]);
}

TEST_CASE("row 32: two threads train models of their own that share an expression's form, a frozen part and inputs") {
  const nn::linear<12, 12> shared{"shared"};
  tensor_of(shared.weight).set_requires_grad(false);
  tensor_of(shared.bias).set_requires_grad(false);
  input<batch, 12> x{"x"};
  input<int64, batch> label{"label"};
  const auto features = let(tanh(shared(x)));
  const net_type nets[2];
  const at::Tensor images = at::randn({9, 12}), labels = labels_of(9, 5);
  const at::Tensor first = tensor_of(nets[0].a.weight).detach().clone();
  std::array<double, 2> change{};
  on_two_threads([&](int k) {
    const auto loss = cross_entropy(nets[k](features), label);
    auto train = step(loss, adam{.lr = 0.01});
    const double before = train(x = images, label = labels).item<double>();
    for (int i = 0; i < 30; ++i)
      (void)train(x = images.narrow(0, 0, 9 - i % 3), label = labels.narrow(0, 0, 9 - i % 3));
    backward(loss, x = images, label = labels);
    change[static_cast<std::size_t>(k)] = train(x = images, label = labels).item<double>() - before;
  });
  for (const double c : change) CHECK(c < 0);
  for (const auto& net : nets) CHECK(tensor_of(net.a.weight).grad().defined());
  CHECK_FALSE(tensor_of(shared.weight).grad().defined());
  CHECK_FALSE(at::equal(tensor_of(nets[0].a.weight), first));
}

TEST_CASE("row 32: one step's loops run on several threads, in chunks and whole, from one thread and from two") {
  input<batch, 64, 64> x{"x"};
  const at::Tensor images = at::randn({12, 64, 64});
  const wide_net net;
  const auto loss = mean(net(x));
  const std::array<at::Tensor, 4> parameters{tensor_of(net.scale), tensor_of(net.shift), tensor_of(net.of_rows),
                                             tensor_of(net.window)};
  const auto gradients_with = [&](int threads, index_t chunk) {
    std::array<at::Tensor, 4> all;
    at::set_num_threads(threads);
    manual_seed(7);
    backward(loss, {.memory = 1_GiB, .chunk = chunk}, x = images);
    at::set_num_threads(1);
    for (std::size_t k = 0; k < 4; ++k) {
      all[k] = parameters[k].grad();
      at::Tensor(parameters[k]).mutable_grad().reset();
    }
    return all;
  };
  const auto expected = gradients_with(1, 12);
  for (const index_t chunk : {12, 4})
    for (int times = 0; times < 3; ++times) {
      const auto got = gradients_with(3, chunk);
      for (std::size_t k = 0; k < 4; ++k) CHECK(near(got[k], expected[k]));
    }
  at::set_num_threads(2);  // also applies to threads that start later
  std::array<double, 2> change{};
  on_two_threads([&](int k) {
    at::set_num_threads(2);
    const wide_net own;
    auto train = step(mean(own(x)), sgd{.lr = 1}, {.memory = 1_GiB, .chunk = k == 0 ? 12 : 4});
    const double before = train(x = images).item<double>();
    for (int i = 0; i < 3; ++i) change[static_cast<std::size_t>(k)] = train(x = images).item<double>() - before;
  });
  at::set_num_threads(1);
  for (const double c : change) CHECK(c < 0);
}
