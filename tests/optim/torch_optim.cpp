// SPDX-License-Identifier: MIT
// LibTorch's own optimisers and layers together with koila. The optimisers read the gradients that
// backward stores in .grad().
#include "run/support.hpp"

#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

using namespace koila;
using namespace ::test;

TEST_CASE("torch::optim trains koila's parameters after backward") {
  at::manual_seed(4);
  classifier<float64, 20, 16, 10> net;
  input<float64, batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  const at::Tensor images = at::randn({13, 20}, at::kDouble), labels = labels_of(13, 10);  // (13, 20), (13)
  const auto loss = cross_entropy(net(x), label);
  (void)plan(loss, x = images, label = labels);
  std::vector<at::Tensor> p = net.copies();
  const auto options = torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.01);
  torch::optim::SGD mine(net.tensors(), options), theirs(p, options);
  for (int i = 0; i < 5; ++i) {
    mine.zero_grad();
    theirs.zero_grad();
    const at::Tensor got = backward(loss, {.chunk = 4}, x = images, label = labels);
    const at::Tensor want = at::cross_entropy_loss(net.reference(p, images), labels);
    want.backward();
    CHECK(relative_error(got, want) <= 1e-12);
    mine.step();
    theirs.step();
    for (std::size_t k = 0; k < p.size(); ++k) CHECK(relative_error(net.tensors()[k], p[k]) <= 1e-12);
  }
}

TEST_CASE("a weight begins as torch::nn::Linear's, given the same seed") {
  at::manual_seed(9);
  torch::nn::Linear theirs(100, 30);
  at::manual_seed(9);
  parameter<30, 100> w{"w"};
  parameter<30> b{"b"};
  input<batch, 100> x{"x"};
  (void)plan(linear(x, w, b), x = at::zeros({1, 100}));
  CHECK(at::allclose(tensor_of(w), theirs->weight));
  CHECK(at::allclose(tensor_of(b), theirs->bias));
  set(w, theirs->weight);
  CHECK(tensor_of(w).data_ptr() == theirs->weight.data_ptr());
}
