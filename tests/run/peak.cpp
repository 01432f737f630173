// SPDX-License-Identifier: MIT
// The predicted peak equals the allocator's peak, to the byte. In steady state, a step allocates
// nothing.
#include "run/support.hpp"

using namespace koila;
using namespace ::test;

namespace {

struct mlp {
  parameter<512, 784> w1{"w1"};
  parameter<512> b1{"b1"};
  parameter<512, 512> w2{"w2"};
  parameter<512> b2{"b2"};
  parameter<10, 512> w3{"w3"};
  parameter<10> b3{"b3"};
  auto operator()(const auto& x) const { return linear(relu(linear(relu(linear(x, w1, b1)), w2, b2)), w3, b3); }
};

/// Checks four peaks with a fixed chunk size: those of the first step, of the second step after the
/// first loss is freed, and of two calls of backward.
void check_peaks(const auto& loss, index_t chunk, bool again, const auto&... bound) {
  CAPTURE(chunk);
  const options o{.chunk = chunk};
  {
    auto train = step(loss, sgd{.lr = 1e-3}, o);
    const measure m;
    { const at::Tensor first = train(bound...); }
    CHECK(m.peak() == train.plan().peak_bytes());
    const auto before = m.count();
    if (again) { const at::Tensor second = train(bound...); }
    CHECK(m.count() == before);
    CHECK(m.peak() == train.plan().peak_bytes());
  }
  if (again) {
    const index_t predicted = plan(loss, o, bound...).peak_bytes();
    const measure m;
    backward(loss, o, bound...);  // creates the gradients
    CHECK(m.peak() == predicted);
    const auto kept = m.live();
    backward(loss, o, bound...);  // adds to the gradients
    CHECK(m.peak() == kept + predicted);
    CHECK(m.live() == kept);
  }
}
/// Checks the peak of a run.
void check_peak_of_value(const auto& value, index_t chunk, const auto&... bound) {
  CAPTURE(chunk);
  const options o{.chunk = chunk};
  const index_t predicted = plan(value, o, bound...).peak_bytes();
  const measure m;
  (void)run(value, o, bound...);
  CHECK(m.peak() == predicted);
  CHECK(m.live() == 0);
}
void drop_gradients(const auto&... parameters) { ((tensor_of(parameters).mutable_grad() = at::Tensor()), ...); }

}  // namespace

TEST_CASE("the predicted peak is the measured peak: a recurrent network whose inputs are multiplied step by step") {
  const input<60, batch, 3> x{"x"};
  const input<batch, 64> h{"h"};
  const parameter<256, 3> w{"w"};
  const parameter<256, 64> u{"u"};
  const parameter<256> b{"b"};
  const auto y = select(lstm(x, h, h, w, u, b), 0_c, -1_c);
  const auto loss = mean(square(y));
  const at::Tensor t = at::randn({60, 40, 3}), s = at::randn({40, 64});  // (60, 40, 3), (40, 64)
  (void)run(y, x = t, h = s);
  for (const index_t chunk : {1, 7, 16, 40}) {
    drop_gradients(w, u, b);
    check_peaks(loss, chunk, true, x = t, h = s);
    check_peak_of_value(y, chunk, x = t, h = s);
  }
}

TEST_CASE("the predicted peak is the measured peak: the classifier of digits") {
  mlp net;
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = cross_entropy(net(x), label);
  const at::Tensor images = at::rand({4096, 784}), labels = labels_of(4096, 10);         // (4096, 784), (4096)
  (void)run(net(x), x = images);  // creates the parameters
  for (const index_t chunk : chunks_of(4096)) {
    check_peaks(loss, chunk, chunk >= 64, x = images, label = labels);
    check_peak_of_value(net(x), chunk, x = images);
    drop_gradients(net.w1, net.b1, net.w2, net.b2, net.w3, net.b3);
  }
}

TEST_CASE("the predicted peak is the measured peak: ragged chunks, losses coupled across the batch, momentum") {
  parameter<16, 24> w{"w"};
  parameter<16> b{"b"};
  input<batch, 24> x{"x"};
  input<int64, batch> label{"label"};
  auto z = let(relu(linear(x, w, b)));  // (batch, 16)
  auto centred = let(z - mean(z, 0_c));
  auto pairs = matmul(z, transpose(z, 0_c, 1_c));  // (batch, batch)
  for (const index_t samples : {1, 2, 37, 64}) {
    const at::Tensor images = at::rand({samples, 24}), labels = labels_of(samples, std::min<index_t>(samples, 16));
    tensor_of(w), tensor_of(b);
    for (const index_t chunk : {1, 3, 8, 16, 32, 64}) {
      CAPTURE(samples);
      const auto check = [&](const auto& loss) {
        check_peaks(loss, chunk, true, x = images, label = labels);
        drop_gradients(w, b);
      };
      check(cross_entropy(z, label));
      check(mean(centred * centred * centred) + cross_entropy(centred, label));
      check(cross_entropy(pairs, label));
      check(mean(softmax(z, 0_c) * z) + cross_entropy(z, label));
      check_peak_of_value(z, chunk, x = images);
      check_peak_of_value(centred, chunk, x = images);
      check_peak_of_value(log_softmax(pairs, 1_c) + sum(label) * 0.0, chunk, x = images, label = labels);
      check_peak_of_value(softmax(z, 0_c) * sum(label), chunk, x = images, label = labels);
      auto train = step(cross_entropy(centred, label),
                        sgd{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.1, .nesterov = true}, {.chunk = chunk});
      const measure m;
      { const at::Tensor first = train(x = images, label = labels); }
      // Checks the momentum buffers.
      CHECK(train.state_bytes() == (16 * 24 + 16) * 4);
      CHECK(m.peak() == train.plan().peak_bytes() + train.state_bytes());
      const auto before = m.count();
      for (int i = 0; i < 3; ++i) { const at::Tensor next = train(x = images, label = labels); }
      CHECK(m.count() == before);
    }
  }
}

TEST_CASE("the predicted peak is the measured peak: values that lie the other way are copied without a buffer") {
  input<batch, 90> x{"x"};
  const auto check = [&](const auto& y, const at::Tensor& features) {
    for (const index_t chunk : {200, 64}) {
      CAPTURE(chunk);
      const index_t predicted = plan(y, {.chunk = chunk}, x = features).peak_bytes();
      const measure m;
      const at::Tensor got = run(y, {.chunk = chunk}, x = features);
      CHECK(m.peak() == predicted);
    }
  };
  const at::Tensor straight = at::randn({200, 90}), transposed = at::randn({90, 200}).t();  // (200, 90)
  CHECK(at::equal(run(transpose(x, 0_c, 1_c), x = straight), straight.t()));
  check(transpose(x, 0_c, 1_c), straight);
  check(reshape(transpose(x, 0_c, 1_c), -1_c), straight);
  check(einsum("ij->ji", x), straight);
  for (const at::Tensor& t : {straight, transposed}) {
    check(softmax(x, -1_c), t);
    check(cumsum(x, 1_c), t);
    check(flip(x, 1_c), t);
    check(pad(x, list_of(1_c, 1_c)), t);
    check(argmax(x, 1_c), t);
    check(reshape(x, batch, 9_c, 10_c), t);
  }
}

TEST_CASE("to reduce many elements to one takes no memory that is not planned, however many threads there are") {
  const input<batch, 200> x{"x"};
  const at::Tensor t = at::randn({500, 200}), transposed = at::randn({200, 500}).t();  // (500, 200)
  const auto check = [&](const auto& y) {
    for (const at::Tensor& features : {t, transposed}) {
      at::Tensor on_one_thread;
      for (const int threads : {1, 2, 3}) {
        at::set_num_threads(threads);
        const index_t predicted = plan(y, {.chunk = 500}, x = features).peak_bytes();
        const measure m;
        const at::Tensor got = run(y, {.chunk = 500}, x = features);
        CHECK(m.peak() == predicted);
        if (threads == 1) on_one_thread = got;
        CHECK(at::equal(got, on_one_thread));  // the result does not depend on the number of threads
      }
      at::set_num_threads(1);
    }
  };
  check(sum(x)), check(mean(x)), check(amax(x)), check(amin(x)), check(prod(x * 0.01F + 1)), check(any(x > 5)),
      check(all(x > -9));
  check(argmax(x)), check(argmin(x)), check(var(x)), check(norm(x)), check(logsumexp(x)), check(sum(x > 0));
}

TEST_CASE("the predicted peak is the measured peak: a gradient that shows another one transposed") {
  const parameter<64, 64> m{"m"}, n{"n"};
  const auto loss = sum(square(m + transpose(n, 0_c, 1_c)));
  (void)tensor_of(m), (void)tensor_of(n);
  const auto p = plan(loss);
  measure u;
  (void)backward(loss);
  CHECK(u.peak() == p.peak_bytes());
}
