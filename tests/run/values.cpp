// SPDX-License-Identifier: MIT
// All ways in which a user can ask for values.
#include "run/support.hpp"

#include <sstream>

using namespace koila;
using namespace ::test;

inline constexpr struct seq : axis<seq> {
  using axis::operator=;
} seq;

TEST_CASE("values") {
  at::manual_seed(2);
  const at::Tensor images = at::randn({12, 20}), labels = labels_of(12, 10);             // (12, 20), (12)
  classifier<float32, 20, 16, 10> net;
  input<batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  (void)plan(net(x), x = images);
  std::vector<at::Tensor> p;
  for (const auto& t : net.tensors()) p.push_back(t.detach());
  const at::Tensor want = net.reference(p, images);                                      // (12, 10)

  SECTION("run, with leaves that are bound and leaves that hold tensors") {
    CHECK(::test::near(run(net(x), x = images), want));
    CHECK(::test::near(run(net(x), {.chunk = 5}, x = images), want));
    auto [a, b] = lazy<batch>(images, labels);
    CHECK(batch_of(lazy<batch, 20>(images)) == 0);
    CHECK(::test::near(run(net(a)), want));
    CHECK(::test::near(run(net(a), {.chunk = 5}), want));
    CHECK(::test::near(run(cross_entropy(net(a), b)), at::cross_entropy_loss(want, labels)));
    CHECK(::test::near(run(net(lazy<batch, 20>(images))), want));
    CHECK_THROWS_AS((lazy<batch, 21>(images)), shape_error);
    CHECK_THROWS_AS((lazy<batch>(images, labels.sum())), shape_error);
    CHECK(::test::near(run(net(lazy(images))), want));
  }
  SECTION("on the spot, for debugging") {
    const auto y = net(lazy<batch, 20>(images));
    const at::Tensor t(y);
    CHECK(::test::near(t, want));
    CHECK(std::abs(mean(y).item<float>() - want.mean().item<float>()) < 1e-6);
    std::ostringstream mine, theirs;
    mine << lazy<batch>(at::arange(6).reshape({2, 3})) * 2;
    theirs << at::arange(6).reshape({2, 3}) * 2;
    CHECK(mine.str() == theirs.str());
    static_assert(!std::is_convertible_v<decltype(y), at::Tensor>);
  }
  SECTION("eagerly: the model on a tensor is a tensor") {
    const at::Tensor t = net(images);
    CHECK(::test::near(t, want));
    CHECK(::test::near(cross_entropy(t, labels), at::cross_entropy_loss(want, labels)));
    CHECK(at::equal(let(relu(images)), at::relu(images)));
  }
  SECTION("plain tensors among expressions") {
    const at::Tensor row = at::randn({20}), all = at::randn({12, 20}),
                     column = at::randn({12, 1});  // (20), (12, 20), (12, 1)
    for (const index_t chunk : {12, 5, 1}) {
      const options o{.chunk = chunk};
      CAPTURE(chunk);
      CHECK(at::equal(run(x + row, o, x = images), images + row));
      CHECK(at::equal(run(x + all, o, x = images), images + all));
      CHECK(at::equal(run(all * x, o, x = images), all * images));
      CHECK(at::equal(run(x * column, o, x = images), images * column));
      CHECK(at::allclose(run(sum(x * all, 0_c), o, x = images), (images * all).sum(0), 1e-5, 1e-6));
      CHECK(at::equal(run(x + at::scalar_tensor(2.0), o, x = images), images + 2));
    }
    CHECK_THROWS_AS(run(x + at::zeros({11, 20}), x = images), shape_error);
  }
  SECTION("gradient is an expression") {
    const auto loss = cross_entropy(net(x), label);
    std::vector<at::Tensor> q = p;
    for (auto& t : q) t = t.clone().requires_grad_();
    const at::Tensor features = images.clone().requires_grad_();
    at::cross_entropy_loss(net.reference(q, features), labels).backward();
    for (const index_t chunk : {12, 5, 1}) {
      const options o{.chunk = chunk};
      CAPTURE(chunk);
      for (auto& t : net.tensors()) t.mutable_grad() = at::Tensor();
      backward(loss, o, x = images, label = labels);
      CHECK(relative_error(run(gradient(loss, net.w1), o, x = images, label = labels), q[0].grad()) <= 1e-6);
      CHECK(::test::near(run(gradient(loss, net.w1), o, x = images, label = labels), tensor_of(net.w1).grad()));
      CHECK(::test::near(run(gradient(loss, net.b2), o, x = images, label = labels), tensor_of(net.b2).grad()));
      CHECK(relative_error(run(gradient(loss, x), o, x = images, label = labels), features.grad()) <= 1e-6);
    }
    parameter<3> other{"other"};
    CHECK(at::equal(run(gradient(loss, other), x = images, label = labels), at::zeros({3})));
    // A penalty on the gradient of the input, which needs a gradient of a gradient.
    auto g = let(gradient(mean(net(x)), x));  // (batch, 20)
    const auto penalty = mean(g * g);
    for (auto& t : net.tensors()) t.mutable_grad() = at::Tensor();
    for (auto& t : q) t.mutable_grad() = at::Tensor();
    const at::Tensor penalised = backward(penalty, {.chunk = 5}, x = images);
    CHECK(penalised.item<float>() > 0);
    CHECK(tensor_of(net.w1).grad().norm().item<float>() > 0);
  }
  SECTION("an axis of the user's own is bound per call, a longer one gets a new plan (row 26)") {
    input<batch, seq, 20> tokens{"tokens"};
    const auto y = mean(net(tokens) * net(tokens));
    auto train = step(y, sgd{.lr = 0});
    for (const index_t length : {3, 7, 2, 7}) {
      const at::Tensor t = at::randn({4, length, 20});  // (4, length, 20)
      const at::Tensor out = net.reference(p, t);
      CHECK(::test::near(run(net(tokens), tokens = t), out));
      CHECK(at::allclose(run(sum(net(tokens), 1_c), {.chunk = 3}, tokens = t), out.sum(1), 1e-5, 1e-5));
      CHECK(::test::near(train(tokens = t), (out * out).mean()));
    }
    input<batch, seq> mask{"mask"};
    CHECK_THROWS_AS(
        run(tokens * reshape(mask, batch, seq, 1_c), tokens = at::zeros({4, 3, 20}), mask = at::zeros({4, 2})),
        shape_error);
  }
  SECTION("row 25: evaluation between steps, at other sizes") {
    auto train = step(cross_entropy(net(x), label), sgd{.lr = 0});
    for (const index_t samples : {12, 5, 12, 1}) {
      const at::Tensor t = images.narrow(0, 0, samples), l = labels.narrow(0, 0, samples);
      CHECK(::test::near(train(x = t, label = l), at::cross_entropy_loss(net.reference(p, t), l)));
      CHECK(train.plan().batch == samples);
      CHECK(::test::near(run(net(x), x = images), want));
    }
  }
  SECTION("where a value is") {
    CHECK(device_of(images) == at::kCPU);
    CHECK(device_of(net(x)) == at::kCPU);
  }
  SECTION("outputs are the caller's") {
    auto train = step(cross_entropy(net(x), label), sgd{.lr = 0.5});
    const at::Tensor first = train(x = images, label = labels), copy = first.clone();
    const at::Tensor second = train(x = images, label = labels);
    CHECK(at::equal(first, copy));
    CHECK(second.item<float>() < first.item<float>());
    const at::Tensor same = run(x, x = images);
    CHECK(at::equal(same, images));
    CHECK(same.data_ptr() != images.data_ptr());
    const at::Tensor weight = run(transpose(net.w1, 0_c, 1_c));
    CHECK(weight.data_ptr() != tensor_of(net.w1).data_ptr());
    CHECK(at::equal(run(let(x) * 0.0 + 3.0, x = images), at::full({12, 20}, 3.0)));
  }
}

inline constexpr struct token_times : axis<token_times> {
} token_times;

TEST_CASE("trials A2: two axes that were one dim are had again") {
  const input<float64, batch, token_times, 8> x{"x"};
  const parameter<float64, 4, 8> w{"w"};
  const parameter<float64, 4> scale{"scale"};
  set(w, at::randn({4, 8}, at::kDouble)), set(scale, at::randn({4}, at::kDouble));
  const auto rows = linear(reshape(x, -1_c, 8_c), w);
  const auto y = reshape(rows, batch, token_times, 4_c);
  const auto transposed = reshape(transpose(rows, 0, 1), 4_c, batch, token_times);
  for (const index_t n : {6, 1, 0})
    for (const index_t steps : {7, 1}) {
      const at::Tensor t = at::randn({n, steps, 8}, at::kDouble);  // (batch, token_times, 8)
      const at::Tensor want = at::linear(t, tensor_of(w).detach());  // (batch, token_times, 4)
      for (const index_t chunk : {0, 1, 4}) CHECK(relative_error(run(y, {.chunk = chunk}, x = t), want) < 1e-13);
      CHECK(relative_error(run(transposed, x = t), want.permute({2, 0, 1})) < 1e-13);
      tensor_of(scale).mutable_grad() = at::Tensor();
      backward(sum(y * sum(x, dim = 2_c, keepdim = true) * scale), {.chunk = 2}, x = t);
      CHECK(relative_error(tensor_of(scale).grad(), (want * t.sum(2, true)).reshape({-1, 4}).sum(0)) < 1e-13);
    }
  const input<float64, any, 4> z{"z"};
  const at::Tensor of_x = at::randn({6, 7, 8}, at::kDouble), of_z = at::randn({41, 4}, at::kDouble);
  CHECK_THROWS_WITH(
      run(sum(x) + sum(reshape(z, batch, token_times, 4_c)), x = of_x, z = of_z),
      Catch::Matchers::ContainsSubstring("reshape: float64[41, 4] to [batch=6, token_times=7, 4]: the numbers of "
                                         "elements differ"));
}
