// SPDX-License-Identifier: MIT
// The options of layers, against torch::nn's layers with the same weights.
#include "nn/support.hpp"

#include <koila/nn/nn.hpp>

#include <torch/nn/functional/instancenorm.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/instancenorm.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/modules/rnn.h>

using namespace koila;
using namespace ::test;

TEST_CASE("recurrent layers without biases, batch first, and from states on") {
  at::manual_seed(21);
  const at::NoGradGuard no_grad;
  const at::Tensor t = at::randn({5, 6, 8});                                      // (samples, time, features)
  const at::Tensor h0 = at::randn({4, 5, 16}), c0 = at::randn({4, 5, 16});  // (layers * directions, samples, hidden)
  const input<batch, 6, 8> x{"x"};
  const input<4, batch, 16> h{"h"}, c{"c"};
  constexpr nn::rnn_options two{.layers = 2, .bidirectional = true, .bias = false, .batch_first = true};
  {
    torch::nn::LSTM theirs(
        torch::nn::LSTMOptions(8, 16).num_layers(2).bidirectional(true).bias(false).batch_first(true));
    const nn::lstm<8, 16, two> net;
    load(net, *theirs);
    const auto [want, last] = theirs->forward(t);
    const auto [y, y_h, y_c] = net(x);
    CHECK(close(run(y, x = t), want));
    CHECK(close(run(y, {.chunk = 2}, x = t), want));
    CHECK(close(run(y_h, x = t), std::get<0>(last)));
    CHECK(close(run(y_c, x = t), std::get<1>(last)));
    CHECK(close(std::get<0>(net(t)), want));
    const auto [want_on, last_on] = theirs->forward(t, std::tuple(h0, c0));
    const auto [on, on_h, on_c] = net(x, h, c);
    CHECK(close(run(on, x = t, h = h0, c = c0), want_on));
    CHECK(close(run(on, {.chunk = 2}, x = t, h = h0, c = c0), want_on));
    CHECK(close(run(on_c, x = t, h = h0, c = c0), std::get<1>(last_on)));
    CHECK(close(std::get<1>(net(t, h0, c0)), std::get<0>(last_on)));
  }
  {
    torch::nn::GRU theirs(torch::nn::GRUOptions(8, 16).num_layers(2).bidirectional(true).bias(false).batch_first(true));
    const nn::gru<8, 16, two> net;
    load(net, *theirs);
    const auto [want, last] = theirs->forward(t, h0);
    const auto [y, y_h] = net(x, h);
    CHECK(close(run(y, x = t, h = h0), want));
    CHECK(close(run(y_h, x = t, h = h0), last));
    CHECK(close(std::get<0>(net(t)), std::get<0>(theirs->forward(t))));
    CHECK_THROWS_AS(net(t, at::cat({h0, h0}, 0)), shape_error);  // h0 has states for more layers than the model
  }
  {
    torch::nn::RNN theirs(torch::nn::RNNOptions(8, 16).bias(false).batch_first(true));
    const nn::rnn<8, 16, nn::rnn_options{.bias = false, .batch_first = true}> net;
    load(net, *theirs);
    const auto [want, last] = theirs->forward(t);
    const auto [y, y_h] = net(x);
    CHECK(close(run(y, x = t), want));
    CHECK(close(run(y_h, x = t), last));
  }
}

TEST_CASE("normalisation without weights, batch norm without running statistics, instance norm") {
  at::manual_seed(22);
  const at::NoGradGuard no_grad;
  const at::Tensor t = at::randn({5, 4, 6}) * 3 + 1;  // (samples, channels, length)
  const input<batch, 4, 6> x{"x"};
  constexpr nn::norm_options bare{.affine = false};
  const auto agree = [&](const auto& net, auto& theirs) {
    load(net, *theirs);
    const at::Tensor want = theirs->forward(t);
    CHECK(close(run(net(x), {.chunk = 2}, x = t), want));
  };
  for (const bool training : {true, false}) {
    CAPTURE(training);
    const auto each = [&](auto net, auto theirs) {
      move_all(*theirs);
      theirs->train(training);
      set_training(net, training);
      agree(net, theirs);
    };
    using options = torch::nn::BatchNormOptions;
    each(nn::batch_norm<4>{}, torch::nn::BatchNorm1d(4));
    each(nn::batch_norm<4, bare>{}, torch::nn::BatchNorm1d(options(4).affine(false)));
    each(nn::batch_norm<4, nn::norm_options{.track_running_stats = false}>{},
         torch::nn::BatchNorm1d(options(4).track_running_stats(false)));
    each(nn::batch_norm<4, nn::norm_options{.affine = false, .track_running_stats = false}>{},
         torch::nn::BatchNorm1d(options(4).affine(false).track_running_stats(false)));
    each(nn::instance_norm<4>{}, torch::nn::InstanceNorm1d(4));
    each(nn::instance_norm<4, nn::instance_norm_options{.affine = true}>{},
         torch::nn::InstanceNorm1d(torch::nn::InstanceNormOptions(4).affine(true)));
    each(nn::group_norm<2, 4>{}, torch::nn::GroupNorm(2, 4));
    each(nn::group_norm<2, 4, bare>{}, torch::nn::GroupNorm(torch::nn::GroupNormOptions(2, 4).affine(false)));
    each(nn::layer_norm<4, 6>{}, torch::nn::LayerNorm(torch::nn::LayerNormOptions({4, 6})));
    each(nn::layer_norm<bare, 6>{}, torch::nn::LayerNorm(torch::nn::LayerNormOptions({6}).elementwise_affine(false)));
  }
}

TEST_CASE("an embedding's padding row begins as zeros and has no gradient") {
  at::manual_seed(23);
  const nn::embedding<5, 3, nn::embedding_options{.padding_idx = -4}> net;
  CHECK(at::equal(tensor_of(net.weight).detach().ne(0).any(1).to(at::kLong), at::tensor({1, 0, 1, 1, 1}, at::kLong)));
  torch::nn::Embedding theirs(torch::nn::EmbeddingOptions(5, 3).padding_idx(-4));
  load(net, *theirs);
  const at::Tensor words = at::tensor({1, 4, 1, 0, 2, 2}, at::kLong).view({3, 2});
  const input<int64, batch, 2> x{"x"};
  const auto y = net(x);
  CHECK(identical(run(y, x = words), theirs->forward(words)));
  backward(sum(y * y), x = words);
  theirs->forward(words).square().sum().backward();
  CHECK(identical(tensor_of(net.weight).grad(), theirs->weight.grad()));
  const nn::embedding<5, 3, float64> other;
  CHECK(tensor_of(other.weight).scalar_type() == at::kDouble);
}

TEST_CASE("parameters begin as torch::nn::init's kaiming_uniform and orthogonal make them") {
  const auto begins_as = [](const auto& p, const auto& initialise) {
    at::manual_seed(24);
    const at::Tensor got = tensor_of(p).detach();
    at::manual_seed(24);
    const at::Tensor want = at::empty(got.sizes());
    initialise(want);
    CHECK(close(got, want));
  };
  const auto kaiming = [](const at::Tensor& t) {
    torch::nn::init::kaiming_uniform_(t, 0, torch::kFanIn, torch::kReLU);
  };
  begins_as(parameter<16, 8>{"p", {initial::kaiming_uniform, std::sqrt(2)}}, kaiming);
  begins_as(parameter<16, 8, 3, 3>{"p", {initial::kaiming_uniform, std::sqrt(2)}}, kaiming);
  const auto orthogonal = [](const at::Tensor& t) { torch::nn::init::orthogonal_(t, 0.5); };
  begins_as(parameter<16, 8>{"p", {initial::orthogonal, 0.5}}, orthogonal);
  begins_as(parameter<8, 16>{"p", {initial::orthogonal, 0.5}}, orthogonal);
  begins_as(parameter<8, 2, 3>{"p", {initial::orthogonal, 0.5}}, orthogonal);
  const at::Tensor q = tensor_of(parameter<float64, 4, 9>{"q", {initial::orthogonal}}).detach();
  CHECK(at::allclose(q.mm(q.t()), at::eye(4, at::kDouble), 1e-5, 1e-6));
  CHECK_THROWS_WITH(tensor_of(parameter<4>{"b", {initial::orthogonal}}),
                    "b: only a parameter of two dims or more can begin so");
  CHECK_THROWS_WITH(tensor_of(parameter<4>{"b", {initial::kaiming_uniform}}),
                    "b: only a parameter of two dims or more can begin so");
}
