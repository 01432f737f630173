// SPDX-License-Identifier: MIT
// Problems that users of comparable tools have reported. The numbers in the test names are rows of
// the list of failure cases.
#include "run/support.hpp"

#include <thread>

using namespace koila;
using namespace ::test;

namespace {

using net_type = classifier<float32, 20, 16, 10>;

auto make_expression() {  // all local variables are destroyed at the end of the function
  net_type net;
  set(net.w1, at::full({16, 20}, 0.01)), set(net.b1, at::zeros({16})), set(net.w2, at::full({10, 16}, 0.1)),
      set(net.b2, at::zeros({10}));
  input<batch, 20> x{"x"};
  auto h = let(net(x));
  erased<batch, 10> e = h + relu(h) * 2.0;
  e = e + h;
  return std::pair(x, let(e * h));
}

}  // namespace

TEST_CASE("row 4: a sample that does not fit is an error before anything runs") {
  net_type net;
  input<batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = cross_entropy(net(x), label);
  // If the kernel ran, it would refuse these labels.
  const at::Tensor images = at::rand({64, 20}), labels = at::full({64}, 99, at::kLong);
  tensor_of(net.w1);
  const measure m;
  const auto check = [&](const auto& f) {
    try {
      f();
      FAIL("it ran");
    } catch (const memory_error& e) {
      CHECK(e.allowed == 100);
      CHECK(e.needed > 100);
      CHECK_THAT(e.what(), Catch::Matchers::ContainsSubstring(std::to_string(e.needed) + " bytes are needed at "));
    }
  };
  auto train = step(loss, sgd{.lr = 1}, {.memory = 100});
  check([&] { train(x = images, label = labels); });
  check([&] { backward(loss, {.memory = 100}, x = images, label = labels); });
  check([&] {
    (void)run(cross_entropy(net(x) * 2.0, label) + sum(net(x), 0_c), {.memory = 100}, x = images, label = labels);
  });
  CHECK(m.peak() <= 16 * 4 + 10 * 16 * 4 + 10 * 4);  // parameters that did not exist before
  CHECK(!tensor_of(net.w1).grad().defined());
  CHECK_THROWS_AS(train.plan(), std::logic_error);
}

TEST_CASE("row 15: the largest batch for a budget is no accident: less memory never runs what more does not") {
  net_type net;
  input<batch, 20> x{"x"};
  const auto value = mean(net(x) * net(x));
  for (index_t samples = 1; samples <= 40; ++samples) {
    const at::Tensor images = at::rand({samples, 20});
    const memory_plan least = plan(value, {.chunk = 1}, x = images);
    CHECK_NOTHROW(backward(value, {.memory = least.peak_bytes()}, x = images));
    CHECK_NOTHROW(backward(value, {.memory = 2 * least.peak_bytes()}, x = images));
    // Every candidate is evaluated: the number of bytes in the error message is enough, and no
    // chunk size needs less memory.
    index_t needed = least.peak_bytes();
    try {
      (void)plan(value, {.memory = 0}, x = images);
    } catch (const memory_error& e) { needed = e.needed; }
    CHECK(backward(value, {.memory = needed}, x = images).defined());
    for (index_t chunk = 1; chunk <= samples; ++chunk)
      CHECK_THROWS_AS(plan(value, {.memory = needed - 1, .chunk = chunk}, x = images), memory_error);
  }
}

TEST_CASE("row 18: after an exception nothing is kept and nothing has changed") {
  net_type net;
  input<batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = cross_entropy(net(x), label);
  const at::Tensor images = at::rand({64, 20}), labels = labels_of(64, 10);
  at::Tensor wrong = labels.clone();
  wrong[40] = 10;  // not a valid class: a kernel throws in the middle of the batch
  backward(loss, x = images, label = labels);
  std::vector<at::Tensor> values, gradients;
  for (const auto& t : net.tensors()) values.push_back(t.detach().clone()), gradients.push_back(t.grad().clone());
  const auto unchanged = [&] {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!identical(net.tensors()[k], values[k]) || !identical(net.tensors()[k].grad(), gradients[k])) return false;
    return true;
  };
  auto train = step(loss, sgd{.lr = 0.1, .momentum = 0.9}, {.chunk = 16});
  { auto warm = step(loss, sgd{.lr = 0}); }
  const measure m;
  CHECK_THROWS_AS(backward(loss, {.chunk = 16}, x = images, label = wrong), c10::IndexError);
  CHECK(m.live() == 0);
  CHECK_THROWS_AS(run(loss, {.chunk = 16}, x = images, label = wrong), c10::IndexError);
  CHECK(m.live() == 0);
  CHECK(unchanged());
  CHECK_THROWS_AS(train(x = images, label = wrong), c10::IndexError);
  CHECK(unchanged());
  CHECK_THROWS_AS(train(x = images, label = wrong), c10::IndexError);
  const auto kept = m.live();  // the plan's arena
  CHECK(kept <= train.plan().peak_bytes() + train.state_bytes());
  train(x = images, label = labels);
  CHECK(m.live() <= kept + 4);
  CHECK_FALSE(unchanged());
}

TEST_CASE("rows 27, 33: the caller's tensors are never written") {
  input<batch, 20> x{"x"};
  parameter<20> w{"w"};
  const at::Tensor t = at::randn({9, 20}), copy = t.clone();
  (void)run(relu(x), x = t);
  (void)run(relu(x) + relu(relu(x) * 2.0), {.chunk = 2}, x = t);
  (void)relu(t), (void)exp(t), (void)softmax(t, 1_c);
  (void)backward(sum(softmax(relu(x * w), 1_c)), {.chunk = 4}, x = t);
  (void)run(relu(lazy<batch>(t)));
  at::Tensor out = run(x, x = t);
  out.zero_();
  out = run(transpose(x, 0_c, 1_c), x = t);
  out.zero_();
  out = run(reshape(x, -1_c), x = t);
  out.zero_();
  CHECK(identical(t, copy));
}

TEST_CASE("row 30: live bytes are flat over thousands of steps") {
  net_type net;
  input<batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = cross_entropy(net(x), label);
  const at::Tensor images = at::rand({8, 20}), labels = labels_of(8, 10);
  auto train = step(loss, sgd{.lr = 1e-4, .momentum = 0.9}, {.memory = 1_GiB});
  const options o{.memory = 1_GiB};
  const measure m;
  const auto round = [&](int n) {
    for (int i = 0; i < n; ++i) {
      // The batch size alternates between 8 and 7.
      (void)train(x = images.narrow(0, 0, 8 - i % 2), label = labels.narrow(0, 0, 8 - i % 2));
      (void)backward(loss, o, x = images, label = labels);
      (void)run(net(x), o, x = images);
      (void)net(images);
    }
    return m.live();
  };
  const auto first = round(10);
  CHECK(round(2000) == first);
  {  // a dropped batch is freed after a success, a failure, or planning alone
    const at::Tensor more = at::rand({8, 20});
    (void)train(x = more, label = labels);
    CHECK_THROWS_AS(train(x = more, label = labels + 10), c10::IndexError);
    (void)train.plan(x = at::rand({6, 20}), label = labels.narrow(0, 0, 6));
    (void)train.plan(x = more.narrow(0, 0, 7), label = labels.narrow(0, 0, 7));  // the last batch size of a round
  }
  CHECK(m.live() == first);
}

TEST_CASE("row 31: an expression owns what it refers to") {
  const auto [x, y] = make_expression();
  const at::Tensor t = at::rand({3, 20});
  const at::Tensor h =
      at::tanh(t.sum(1, true) * 0.01 + at::zeros({16})).sum(1, true) * 0.1 + at::zeros({10});  // (3, 10)
  CHECK(::test::near(run(y, x = t), (h + h.relu() * 2 + h) * h));
  const auto of_tensor = [] {
    const at::Tensor local = at::ones({2, 2});
    return lazy<batch>(local) + local;
  }();
  CHECK(at::equal(run(of_tensor), at::full({2, 2}, 2.0)));
}

TEST_CASE("row 32: two threads run one expression") {
  net_type net;
  input<batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  auto h = let(net(x));
  erased<batch, 10> e = h;
  for (int i = 0; i < 20; ++i) e = e + h * 0.1;
  const auto loss = cross_entropy(e, label);
  const at::Tensor images = at::rand({33, 20}), labels = labels_of(33, 10);
  std::vector<at::Tensor> values(4), slopes(4);
  const auto work = [&](std::size_t k) {
    for (int i = 0; i < 10; ++i) {
      const options o{.memory = 1_GiB, .chunk = k % 2 == 0 ? 33 : 8};
      erased<batch, 10> mine = e;  // handles are copied and destroyed at the same time
      mine = mine + e;
      values[k] = run(mine, o, x = images);
      slopes[k] = run(gradient(loss, net.w1), o, x = images, label = labels);
      (void)net(images);
    }
  };
  std::vector<std::thread> threads;
  // Several threads start together. One of them creates the parameters.
  for (std::size_t k = 0; k < 4; ++k) threads.emplace_back(work, k);
  for (auto& t : threads) t.join();
  for (std::size_t k = 1; k < 4; ++k) {
    CHECK(::test::near(values[k], values[0]));
    CHECK(at::allclose(slopes[k], slopes[0], 1e-5, 1e-7));
  }
  CHECK(identical(values[2], values[0]));
  CHECK(identical(slopes[3], slopes[1]));
}

TEST_CASE("row 34: what is odd gives LibTorch's result or a clear error") {
  net_type net;
  input<batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = cross_entropy(net(x), label);
  const at::Tensor images = at::randn({11, 20}), labels = labels_of(11, 10);             // (11, 20), (11)
  (void)plan(net(x), x = images);
  const auto value = [&](const at::Tensor& i) {
    return net.reference({tensor_of(net.w1).detach(), tensor_of(net.b1).detach(), tensor_of(net.w2).detach(),
                          tensor_of(net.b2).detach()},
                         i);
  };
  const auto message = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const shape_error& e) { return e.what(); }
    return "nothing";
  };
  using Catch::Matchers::ContainsSubstring;

  SECTION("NaN and infinities stay in their rows") {
    at::Tensor odd = images.clone();
    odd[3][2] = std::numeric_limits<float>::quiet_NaN();
    odd[7][2] = std::numeric_limits<float>::infinity();
    for (const index_t chunk : {11, 4, 1}) {
      const at::Tensor y = run(net(x), {.chunk = chunk}, x = odd), want = value(odd);
      CHECK(at::allclose(y, want, 1e-5, 1e-6, true));
      CHECK(at::equal(run(relu(x), {.chunk = chunk}, x = odd).isnan(), at::relu(odd).isnan()));
      CHECK(run(loss, {.chunk = chunk}, x = odd, label = labels).isnan().item<bool>());
    }
  }
  SECTION("no sample, one sample") {
    for (const index_t samples : {0, 1}) {
      const at::Tensor i = images.narrow(0, 0, samples), l = labels.narrow(0, 0, samples);
      for (const index_t chunk : {0, 1, 8}) {
        const options o{.chunk = chunk};
        CAPTURE(samples, chunk);
        CHECK(::test::near(run(net(x), o, x = i), value(i)));
        CHECK(at::equal(run(sum(x, 0_c), o, x = i), i.sum(0)));
        CHECK(at::allclose(run(mean(x), o, x = i), i.mean(), 1e-5, 1e-7, true));
        CHECK(at::allclose(run(x - mean(x, 0_c), o, x = i), i - i.mean(0), 1e-5, 1e-7, true));
        CHECK(::test::near(run(softmax(x, 0_c), o, x = i), i.softmax(0)));
        CHECK(at::allclose(run(matmul(x * 1.0, transpose(x * 1.0, 0_c, 1_c)), o, x = i), i.matmul(i.t()), 1e-5, 1e-6));
        CHECK(::test::near(run(reshape(x, batch, 4_c, 5_c), o, x = i), i.reshape({samples, 4, 5})));
        CHECK(run(loss, o, x = i, label = l).isnan().item<bool>() == (samples == 0));
        auto train = step(sum(net(x)), sgd{.lr = 0}, o);
        CHECK(at::allclose(train(x = i), value(i).sum(), 1e-5, 1e-6));
        for (auto& t : net.tensors()) t.mutable_grad() = at::Tensor();
        backward(sum(net(x)), o, x = i);
        if (samples == 0) CHECK(at::equal(tensor_of(net.w1).grad(), at::zeros({16, 20})));
      }
    }
  }
  SECTION("dims of zero") {
    parameter<3, 0> none{"none"};
    parameter<3> bias{"bias"};
    input<batch, 0> nothing{"nothing"};
    input<batch, 2, 0> deeper{"deeper"};
    parameter<0, 20> to_nothing{"to_nothing"};
    input<batch, 4, 20> deep{"deep"};
    const at::Tensor t = at::zeros({5, 0}), d = at::zeros({5, 2, 0}), b = at::ones({3});
    set(bias, b);
    for (const index_t chunk : {5, 2}) {
      const options o{.chunk = chunk};
      CHECK(at::equal(run(linear(nothing, none, bias), o, nothing = t), b.expand({5, 3})));
      CHECK(at::equal(run(linear(deeper, none, bias), o, deeper = d), b.expand({5, 2, 3})));
      CHECK(run(linear(x, to_nothing), o, x = images).sizes() == at::IntArrayRef({11, 0}));
      CHECK(run(linear(deep, to_nothing), o, deep = at::zeros({5, 4, 20})).sizes() == at::IntArrayRef({5, 4, 0}));
      CHECK(at::equal(run(sum(nothing, 1_c), o, nothing = t), at::zeros({5})));
      CHECK(at::equal(run(relu(nothing), o, nothing = t), t));
      CHECK(run(reshape(deeper, -1_c, 7_c), o, deeper = d).numel() == 0);
      tensor_of(bias).mutable_grad() = at::Tensor();
      backward(sum(linear(deeper, none, bias)), o, deeper = d);
      CHECK(at::equal(tensor_of(bias).grad(), at::full({3}, 10.0)));
    }
  }
  SECTION("any strides: transposed, stepped, flipped by view, overlapping") {
    const at::Tensor wide = at::randn({20, 11}), stepped = at::randn({22, 40}), row = at::randn({20}),
                     one = at::full({1}, 4, at::kLong);
    const at::Tensor inputs[] = {wide.t(),
                                 stepped.slice(0, 0, 22, 2).slice(1, 0, 40, 2),
                                 row.expand({11, 20}),
                                 at::randn({1}).expand({11, 20}),
                                 at::randn({3, 20, 11}).select(0, 1).t(),
                                 at::randn({11, 20, 2}).select(2, 1)};
    const at::Tensor some_labels[] = {labels, one.expand({11}), at::randint(10, {22}, at::kLong).slice(0, 0, 22, 2)};
    parameter<20> scale{"scale"};
    for (const at::Tensor& i : inputs)
      for (const at::Tensor& l : some_labels)
        for (const index_t chunk : {11, 4, 1}) {
          const options o{.chunk = chunk};
          const at::Tensor want = value(i);
          CHECK(at::allclose(run(net(x), o, x = i), want, 1e-4, 1e-5));
          CHECK(at::allclose(run(loss, o, x = i, label = l), at::cross_entropy_loss(want, l), 1e-4, 1e-5));
          CHECK(::test::near(run(softmax(x, 1_c), o, x = i), i.softmax(1)));
          CHECK(at::equal(run(reshape(x, batch, 4_c, 5_c), o, x = i), i.reshape({11, 4, 5})));
          CHECK(at::allclose(run(cross_entropy(net(lazy<batch, 20>(i)), lazy<batch>(l)), o),
                             at::cross_entropy_loss(want, l), 1e-4, 1e-5));
          CHECK(at::equal(run(reshape(lazy<batch, 20>(i), batch, 4_c, 5_c), o), i.reshape({11, 4, 5})));
          CHECK(at::equal(run(reshape(x * 1.0 + i, batch, 20_c), o, x = i), i + i));
          (void)backward(sum(exp(x * scale)), o, x = i);
        }
    // Parameters may also have any layout.
    parameter<20, 11> w{"w"};
    set(w, at::randn({11, 20}).t());
    CHECK(at::allclose(run(matmul(x, w), x = images), images.matmul(tensor_of(w).detach()), 1e-4, 1e-5));
    CHECK(at::equal(run(reshape(w, -1_c)), tensor_of(w).detach().reshape({-1})));
    backward(sum(matmul(x, w) * matmul(x, w)), x = images);
    CHECK(tensor_of(w).grad().sizes() == tensor_of(w).sizes());
    // The layout of a step's inputs may differ from call to call.
    auto train = step(loss, sgd{.lr = 0});
    for (const at::Tensor& i : inputs)
      CHECK(at::allclose(train(x = i, label = labels), at::cross_entropy_loss(value(i), labels), 1e-4, 1e-5));
  }
  SECTION("refused before anything runs, with names and shapes") {
    CHECK_THAT(message([&] { run(net(x), x = images.to(at::kDouble)); }),
               ContainsSubstring("x: ") && ContainsSubstring("dtypes differ"));
    CHECK_THAT(message([&] { run(net(x), x = images.sum(0)); }), ContainsSubstring("x: [batch, 20] x [20]"));
    CHECK_THAT(message([&] { run(net(x), x = at::zeros({11, 21})); }), ContainsSubstring("[batch, 20] x [11, 21]"));
    CHECK_THAT(message([&] { run(loss, x = images, label = labels.to(at::kInt)); }),
               ContainsSubstring("label") && ContainsSubstring("int32"));
    CHECK_THAT(message([&] { run(loss, x = images, label = labels.narrow(0, 0, 10)); }),
               ContainsSubstring("one axis has two extents"));
    CHECK_THAT(message([&] { run(loss, x = images); }), ContainsSubstring("label: int64[batch]: not bound"));
    input<3> loose{"loose"};  // every dim is known, but there is no value
    CHECK_THAT(message([&] { run(loose * 2.0); }), ContainsSubstring("loose: [3]: not bound"));
    CHECK_THAT(message([&] { run(loss); }), ContainsSubstring("not bound"));
    CHECK_THAT(message([&] { run(net(x), x = images, x = images); }), ContainsSubstring("x is bound twice"));
    CHECK_THAT(message([&] { run(net(x), x = at::Tensor()); }), ContainsSubstring("undefined"));
    CHECK_THAT(message([&] { run(net(x), x = images.to(at::kComplexFloat)); }), ContainsSubstring("not supported"));
    CHECK_THAT(message([&] { run(loss, x = images, label = at::empty({11}, at::device(at::kMeta).dtype(at::kLong))); }),
               ContainsSubstring("label: the tensor is on meta"));
    CHECK_THAT(message([&] { run(net(x), x = at::empty({11, 20}, at::device(at::kMeta))); }),
               ContainsSubstring("x: the tensor is on meta"));
    CHECK_THAT(message([&] { step(loss, sgd{})(x = images, label = labels.narrow(0, 0, 10)); }),
               ContainsSubstring("one axis has two extents"));
    CHECK_THAT(message([&] { backward(lazy<batch>(images) * net.w1, options{}); }),
               ContainsSubstring("not a scalar") || ContainsSubstring("not broadcastable"));
    CHECK_THAT(message([&] { set(net.w1, at::zeros({16, 21})); }), ContainsSubstring("w1"));
    CHECK_THAT(message([&] { set(net.w1, at::zeros({16, 20}, at::kDouble)); }), ContainsSubstring("dtypes differ"));
    tensor_of(net.w1).mutable_grad() = at::Tensor();
  }
}
