// SPDX-License-Identifier: MIT
// The memory of intercepted programs: it is as planned, and nothing stays.
#include "intercept/support.hpp"

#include <koila/tools/record_memory.hpp>

namespace intercept_test {

namespace {

TEST_CASE("intercept: the memory of backward is what the plan says, to the byte") {
  torch::manual_seed(1);
  Sequential net(Conv2d(Conv2dOptions(1, 6, 5)), ReLU(), MaxPool2d(2), Flatten(), Linear(6 * 144, 40), BatchNorm1d(40),
                 ReLU(), Linear(40, 10));
  const Tensor x = torch::randn({32, 1, 28, 28}), y = torch::randint(10, {32}, torch::kInt64);
  for (const std::int64_t chunk : {4, 8, 32}) {
    CAPTURE(chunk);
    net->zero_grad(true);
    const auto [a, b] = koila::intercept({.chunk = chunk, .strict = true}, x, y);
    const Tensor loss = F::cross_entropy(net->forward(a), b);
    const koila::memory_plan p = koila::plan(loss);
    const Tensor one = torch::ones({});  // otherwise LibTorch makes this tensor in backward
    const koila::memory_record m = koila::record_memory([&] { loss.backward(one); });
    CHECK(m.peak_bytes == p.peak_bytes());
  }
}

TEST_CASE("intercept: a budget cuts the batch, and gradients are those of the whole batch") {
  const in_float64 mode;
  Sequential net(Linear(40, 400), Tanh(), Linear(400, 400), Tanh(), Linear(400, 1));
  const Tensor x = torch::randn({256, 40}), y = torch::randn({256, 1});
  F::mse_loss(net->forward(x), y).backward();
  const std::vector<Tensor> want = gradients(*net);
  net->zero_grad();
  const auto whole = [&](koila::index_t memory) {
    const auto [a, b] = koila::intercept({.memory = memory}, x, y);
    const Tensor loss = F::mse_loss(net->forward(a), b);
    const koila::memory_plan p = koila::plan(loss);
    loss.backward();
    return p.peak_bytes();
  };
  const koila::index_t most = whole(-1);
  CHECK(difference(gradients(*net), want) <= 1e-12);
  net->zero_grad();
  CHECK(whole(most * 3 / 4) <= most * 3 / 4);
  CHECK(difference(gradients(*net), want) <= 1e-12);
  CHECK_THROWS_AS(whole(1000), koila::memory_error);
}

TEST_CASE("intercept: no memory stays after many steps, whatever the program holds") {
  torch::manual_seed(1);
  Linear net(6, 3);
  BatchNorm1d norm(3);
  torch::optim::SGD optimizer(net->parameters(), 0.01);
  const Tensor x = torch::randn({8, 6});
  Tensor carried = torch::zeros({8, 3});
  const auto step = [&] {
    const auto [a] = koila::intercept({.chunk = 3}, x);
    const Tensor h = norm->forward(net->forward(a)) + carried;
    const Tensor loss = h.pow(2).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    carried = h.detach() * 0.5;
    if (h.sum().item<double>() > 1e9) carried = carried * 2;
  };
  for (int k = 0; k < 5; ++k) step();
  const koila::memory_record few = koila::record_memory([&] { step(); });
  const koila::memory_record many = koila::record_memory([&] {
    for (int k = 0; k < 200; ++k) step();
  });
  CHECK(many.peak_bytes <= few.peak_bytes + 1024);
  CHECK(std::abs(many.samples.back().bytes) <= 1024);
}

}  // namespace

}  // namespace intercept_test
