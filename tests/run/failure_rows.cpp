// SPDX-License-Identifier: MIT
// More problems that users of comparable tools have reported: wrong numbers. The numbers in the
// test names are rows of the list of failure cases.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>

#include <sstream>

using namespace koila;
using namespace ::test;

namespace {

using net64 = classifier<float64, 12, 16, 6>;

/// A classifier in float64 with its batch, and a comparison with LibTorch.
struct fixture {
  net64 net;
  input<float64, batch, 12> x{"x"};
  input<int64, batch> label{"label"};
  at::Tensor images, labels;

  explicit fixture(index_t samples) : images(at::randn({samples, 12}, at::kDouble)), labels(labels_of(samples, 6)) {}

  /// Checks the loss and the gradients in chunks of every size against LibTorch's results for the
  /// whole batch.
  void check(const auto& loss, const auto& reference, const auto&... more) const {
    const auto leaves = net.copies();
    const at::Tensor expected = reference(net.reference(leaves, images));
    expected.backward();
    for (const index_t chunk : {1, 2, 3, 4, 8, 16, 64}) {
      CAPTURE(chunk);
      for (const auto& t : net.tensors()) t.mutable_grad() = at::Tensor();
      const at::Tensor got = backward(loss, {.chunk = chunk}, x = images, label = labels, more...);
      CHECK(relative_error(got, expected) <= 1e-12);
      for (std::size_t k = 0; k < leaves.size(); ++k)
        CHECK(relative_error(net.tensors()[k].grad(), leaves[k].grad()) <= 1e-12);
    }
  }
};

}  // namespace

TEST_CASE("row 2: nothing is split that fits, and what is split is split evenly") {
  const fixture f(1000);
  const auto loss = cross_entropy(f.net(f.x), f.label);
  const memory_plan all = plan(loss, {.memory = 1_GiB}, f.x = f.images, f.label = f.labels);
  CHECK(all.chunk() == 1000);
  const memory_plan some = plan(loss, {.memory = all.peak_bytes() - 1}, f.x = f.images, f.label = f.labels);
  CHECK(some.chunk() >= 256);  // chunks of similar size, not 512 + 256 + 128 + 64 + 32 + 8
  for (index_t c = 2 * some.chunk(); c <= 1000; c *= 2) {  // a larger chunk does not fit, or is slower
    const memory_plan larger = plan(loss, {.memory = 1_GiB, .chunk = c}, f.x = f.images, f.label = f.labels);
    CHECK((larger.peak_bytes() >= all.peak_bytes() || larger.predicted_seconds >= some.predicted_seconds));
  }
  for (const index_t c : some.chunks) CHECK((c == 1000 || (c & (c - 1)) == 0));
}

TEST_CASE("row 5: an op of which nothing is known is a barrier that is told, and exact") {
  const fixture f(9);
  parameter<float64, 6> w{"w"};
  const auto centred = custom([](const at::Tensor& t) { return t - t.mean(0, true); }, f.net(f.x),
                              workspace = 9 * 6 * 8, backward_workspace = 9 * 6 * 32);
  const auto loss = mean(centred * centred * w);
  const memory_plan p = plan(loss, {.chunk = 4}, f.x = f.images);
  CHECK(p.order.loops > plan(mean(f.net(f.x)), {.chunk = 4}, f.x = f.images).order.loops);
  std::ostringstream told;
  p.explain(told);
  CHECK_THAT(told.str(), Catch::Matchers::ContainsSubstring("custom"));
  const at::Tensor value = f.net.reference(f.net.copies(), f.images);
  const at::Tensor z = value - value.mean(0, true);
  for (const index_t chunk : {1, 4, 9})
    CHECK(relative_error(run(loss, {.chunk = chunk}, f.x = f.images), (z * z * tensor_of(w)).mean()) <= 1e-12);
}

TEST_CASE("row 6: batch norm in training has the whole batch's statistics, output and gradient") {
  const at::Tensor images = at::randn({11, 3, 4, 4}, at::kDouble);  // (11, 3, 4, 4)
  input<float64, batch, 3, 4, 4> x{"x"};
  struct net_type {
    nn::batch_norm<3, nn::norm_options{.type = float64}> norm{"norm"};
  };
  for (const index_t chunk : {1, 2, 4, 8, 11}) {
    CAPTURE(chunk);
    const net_type net;
    const at::Tensor mean = at::zeros({3}, at::kDouble), var = at::ones({3}, at::kDouble);
    const at::Tensor w = tensor_of(net.norm.weight).detach().clone().requires_grad_(),
                     b = tensor_of(net.norm.bias).detach().clone().requires_grad_();
    const at::Tensor y = at::batch_norm(images, w, b, mean, var, true, 0.1, 1e-5, false);
    (y * y * y).sum().backward();
    const auto z = net.norm(x);
    (void)backward(sum(z * z * z), {.chunk = chunk}, x = images);
    CHECK(relative_error(tensor_of(net.norm.weight).grad(), w.grad()) <= 1e-10);
    CHECK(relative_error(tensor_of(net.norm.bias).grad(), b.grad()) <= 1e-10);
    CHECK(relative_error(tensor_of(net.norm.running_mean), mean) <= 1e-12);
    CHECK(relative_error(tensor_of(net.norm.running_var), var) <= 1e-12);
    CHECK(relative_error(run(z, {.chunk = chunk}, x = images), y) <= 1e-12);
  }
}

TEST_CASE("row 7: a mean over the tokens that count has the whole batch's denominator") {
  fixture f(13);
  // Some chunks have few labels that are not ignored, other chunks many.
  f.labels = at::where(f.labels.lt(3), at::full({}, -100, at::kLong), f.labels);
  f.labels[0] = 5;
  f.check(cross_entropy(f.net(f.x), f.label), [&](const at::Tensor& y) { return at::cross_entropy_loss(y, f.labels); });
}

TEST_CASE("row 8: the denominator is known from the labels alone, before anything else runs") {
  const fixture f(64);
  const auto loss = cross_entropy(f.net(f.x), f.label);
  const memory_plan p = plan(loss, {.chunk = 4}, f.x = f.images, f.label = f.labels);
  REQUIRE(p.order.loops == 2);
  for (const int i : p.order.loop_of[0].body) {  // the first loop computes no value of the network
    CHECK(p.graph.node(i).op->name != "linear");
    CHECK(p.graph.node(i).op->name != "mm");
    CHECK(p.graph.node(i).op->name != "tanh");
  }
  CHECK(p.peak_bytes() < plan(loss, {.chunk = 64}, f.x = f.images, f.label = f.labels).peak_bytes());
}

TEST_CASE("row 9: label smoothing, class weights and weights of positives") {
  const fixture f(13);
  const at::Tensor weights = at::rand({6}, at::kDouble) + 0.1, positive = at::rand({6}, at::kDouble) + 0.5;  // (6)
  f.check(cross_entropy(f.net(f.x), f.label, label_smoothing = 0.1),
          [&](const at::Tensor& y) { return at::cross_entropy_loss(y, f.labels, {}, 1, -100, 0.1); });
  f.check(cross_entropy(f.net(f.x), f.label, weights),
          [&](const at::Tensor& y) { return at::cross_entropy_loss(y, f.labels, weights); });
  f.check(cross_entropy(f.net(f.x), f.label, weights, label_smoothing = 0.2),
          [&](const at::Tensor& y) { return at::cross_entropy_loss(y, f.labels, weights, 1, -100, 0.2); });
  input<float64, batch, 6> target{"target"};
  const at::Tensor targets = at::rand({13, 6}, at::kDouble);  // (13, 6)
  f.check(
      binary_cross_entropy_with_logits(f.net(f.x), target, 1.0, positive) + sum(f.label) * 0.0,
      [&](const at::Tensor& y) { return at::binary_cross_entropy_with_logits(y, targets, {}, positive); },
      target = targets);
}

TEST_CASE("row 10: where no label of a chunk counts there is no NaN, unless the whole batch has one") {
  fixture f(16);
  f.labels.narrow(0, 4, 8).fill_(-100);  // ignores the second and third chunk of 4 samples
  const auto reference = [&](const at::Tensor& y) { return at::cross_entropy_loss(y, f.labels); };
  f.check(cross_entropy(f.net(f.x), f.label), reference);
  f.labels.fill_(-100);
  for (const index_t chunk : {4, 16})
    CHECK(std::isnan(
        run(cross_entropy(f.net(f.x), f.label), {.chunk = chunk}, f.x = f.images, f.label = f.labels).item<double>()));
}

TEST_CASE("row 13: a mask of dropout is the same in every chunk, and in the gradient") {
  const fixture f(13);
  const auto dropped = dropout(f.net(f.x), 0.5);
  const auto loss = mean(dropped * dropped);
  std::vector<at::Tensor> values, slopes;
  for (const index_t chunk : {13, 1, 4, 8}) {
    manual_seed(7);
    values.push_back(run(dropped, {.chunk = chunk}, f.x = f.images));
    manual_seed(7);
    for (const auto& t : f.net.tensors()) t.mutable_grad() = at::Tensor();
    (void)backward(loss, {.chunk = chunk}, f.x = f.images);
    slopes.push_back(f.net.tensors()[0].grad().clone());
  }
  CHECK(values[0].eq(0).any().item<bool>());
  for (std::size_t k = 1; k < values.size(); ++k) {
    CHECK(at::equal(values[k].eq(0), values[0].eq(0)));
    CHECK(relative_error(values[k], values[0]) <= 1e-12);
    CHECK(relative_error(slopes[k], slopes[0]) <= 1e-12);
  }
  // The gradient uses the same mask as the value.
  const auto leaves = f.net.copies();
  const at::Tensor y = f.net.reference(leaves, f.images) * values[0].ne(0) * 2;
  (y * y).mean().backward();
  CHECK(relative_error(slopes[0], leaves[0].grad()) <= 1e-12);
}

TEST_CASE("row 14: gradients of 16 bits are added up in float32, and the plan counts it") {
  parameter<bfloat16, 1> w{"w"};
  set(w, at::ones({1}, at::kBFloat16));
  input<bfloat16, batch, 1> x{"x"};
  const auto loss = sum(x * w);
  const at::Tensor ones = at::ones({4096, 1}, at::kBFloat16);  // a sum in bfloat16 would stop at 256
  for (const index_t chunk : {1, 16, 4096}) {
    tensor_of(w).mutable_grad() = at::Tensor();
    const index_t predicted = plan(loss, {.chunk = chunk}, x = ones).peak_bytes();
    const measure m;
    CHECK(backward(loss, {.chunk = chunk}, x = ones).item<float>() == 4096);
    CHECK(tensor_of(w).grad().item<float>() == 4096);
    CHECK(m.peak() == predicted);
  }
}

TEST_CASE("row 20: a batch of more than 65,535 samples is one like any other") {
  input<batch, 2, 2> x{"x"};
  const at::Tensor many = at::randn({70'000, 2, 2});  // (70000, 2, 2)
  const auto y = matmul(x * 1.0, transpose(x, 1_c, 2_c));
  const at::Tensor expected = at::matmul(many, many.transpose(1, 2));
  for (const index_t chunk : {0, 4096, 70'000}) CHECK(::test::near(run(y, {.chunk = chunk}, x = many), expected));
  const at::Tensor w = at::randn({3, 2, 2});  // (3, 2, 2)
  for (const index_t chunk : {4096, 70'000}) {
    const options o{.chunk = chunk};
    CHECK(::test::near(run(conv1d(x, w), o, x = many), at::conv1d(many, w)));
    CHECK(::test::near(run(layer_norm(x, at::ones({2})), o, x = many), at::layer_norm(many, {2})));
    CHECK(::test::near(run(scaled_dot_product_attention(x, x, x), o, x = many),
                       at::scaled_dot_product_attention(many, many, many)));
    CHECK(::test::near(run(batch_norm(x), o, x = many), at::batch_norm(many, {}, {}, {}, {}, true, 0.1, 1e-5, false)));
  }
}
