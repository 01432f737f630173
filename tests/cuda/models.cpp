// SPDX-License-Identifier: MIT
// Runs the same programs on a CUDA device and on the host. Values, gradients and training steps
// must agree, for the whole batch and in chunks.
#include "support.hpp"

namespace test {

namespace {

/// Returns the loss and its gradients on a device, computed in chunks of `chunk` samples. 0 means
/// one chunk.
template <class Net, class Input>
auto gradients_of(const Net& net, const Input& x, at::Device where, const at::Tensor& images, const at::Tensor& labels,
                  index_t chunk) -> std::vector<at::Tensor> {
  to(net, where);
  manual_seed(3);  // dropout draws the same numbers in each call of this function
  const input<int64, batch> label{"label"};
  const auto loss = cross_entropy(net(x), label);
  options o{.memory = 1_GiB};
  if (chunk > 0) o.chunk = chunk;
  std::vector<at::Tensor> out{backward(loss, o, x = images.to(where), label = labels.to(where))};
  for (const auto& p : named_parameters(net)) out.push_back(p.tensor().grad());
  for (const auto& b : named_buffers(net)) out.push_back(b.tensor().clone());
  for (const at::Tensor& t : out) CHECK(t.device() == where);
  return out;
}

template <class Net, class Input>
void same_on_both(const Input& x) {
  const full_precision full;
  const Net net;
  at::manual_seed(1);
  for (const auto& p : named_parameters(net)) (void)p.tensor();
  const at::Tensor images = Net::images(24), labels = at::randint(10, {24}, at::kLong);
  const Net on_host = clone(net);
  const std::vector<at::Tensor> want = gradients_of(on_host, x, at::kCPU, images, labels, 0);
  for (const index_t chunk : {index_t{0}, index_t{8}, index_t{5}, index_t{1}}) {
    const std::vector<at::Tensor> got = gradients_of(clone(net), x, gpu, images, labels, chunk);
    REQUIRE(got.size() == want.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
      INFO("chunk " << chunk << ", number " << k);
      CHECK(relative_error(got[k], want[k]) <= 2e-5);
    }
  }
}

}  // namespace

TEST_CASE("koila::cuda is part of a program that links it") {
  const device::backend* const b = device::backend_of(gpu);
  REQUIRE(b != nullptr);
  CHECK(b->rules() == device::caching_rules{});
}

TEST_CASE("a multilayer perceptron on a device has the host's values and gradients") {
  if (no_device()) return;
  same_on_both<mlp>(mlp_input());
}

TEST_CASE("a convolutional network on a device has the host's values, gradients and running statistics") {
  if (no_device()) return;
  same_on_both<conv_net>(conv_input_of());
}

TEST_CASE("steps of each optimiser on a device are those of the host") {
  if (no_device()) return;
  const full_precision full;
  const auto train_with = [](const auto& optimizer) {
    const mlp first;
    const at::Tensor images = mlp::images(24), labels = at::randint(10, {24}, at::kLong);
    for (const auto& p : named_parameters(first)) (void)p.tensor();
    std::vector<std::vector<at::Tensor>> weights;
    for (const at::Device where : {at::Device(at::kCPU), gpu}) {
      const mlp net = clone(first);
      to(net, where);
      const auto x = mlp_input();
      const input<int64, batch> label{"label"};
      manual_seed(5);
      auto train = step(cross_entropy(net(x), label), optimizer, {.memory = 64_MiB});
      for (int i = 0; i < 5; ++i) train(x = images.to(where), label = labels.to(where));
      weights.push_back(parameters(net));
    }
    for (std::size_t k = 0; k < weights[0].size(); ++k) CHECK(relative_error(weights[1][k], weights[0][k]) <= 1e-3);
  };
  train_with(sgd{.lr = 0.1, .momentum = 0.9, .weight_decay = 1e-3, .nesterov = true});
  train_with(adam{.weight_decay = 1e-3, .amsgrad = true});
  train_with(adamw{});
  train_with(rmsprop{.lr = 1e-3, .momentum = 0.9, .centered = true});
  train_with(adagrad{});
  train_with(clip_grad_norm(adam{}, 0.1));
}

TEST_CASE("random numbers on a device are the host's") {
  if (no_device()) return;
  const at::Tensor t = at::ones({1000});
  manual_seed(9);
  const at::Tensor host = dropout(t, 0.5);
  manual_seed(9);
  CHECK(at::equal(dropout(t.to(gpu), 0.5).cpu(), host));
}

}  // namespace test
