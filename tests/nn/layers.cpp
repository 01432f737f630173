// SPDX-License-Identifier: MIT
// Layers against torch::nn's layers with the same weights.
#include "nn/support.hpp"

#include <koila/nn/nn.hpp>

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/rnn.h>
#include <torch/nn/modules/transformercoder.h>
#include <torch/nn/modules/transformerlayer.h>

using namespace koila;
using namespace ::test;

namespace {

// A residual network like ResNet-18 with an eighth of the width, in koila and in torch::nn.
template <dtype T, int In, int Out, int Stride>
struct block {
  nn::conv2d<In, Out, 3, nn::conv_options{.stride = Stride, .padding = 1, .bias = false, .type = T}> conv1{"conv1"};
  nn::batch_norm<Out, T> bn1{"bn1"};
  nn::conv2d<Out, Out, 3, nn::conv_options{.padding = 1, .bias = false, .type = T}> conv2{"conv2"};
  nn::batch_norm<Out, T> bn2{"bn2"};
  struct shortcut {
    const char* name = "downsample";
    nn::conv2d<In, Out, 1, nn::conv_options{.stride = Stride, .bias = false, .type = T}> conv;
    nn::batch_norm<Out, T> bn;
    auto members() const { return std::tie(conv, bn); }
    auto members() { return std::tie(conv, bn); }
  };
  [[no_unique_address]] std::conditional_t<Stride == 1, nn::nothing, shortcut> downsample{};

  template <class X>
  auto operator()(const X& input) const {
    const auto x = nn::detail::shared(input);
    const auto y = bn2(conv2(relu(bn1(conv1(x)))));
    if constexpr (Stride == 1) return relu(y + x);
    else return relu(y + downsample.bn(downsample.conv(x)));
  }
};
template <dtype T, int In, int Out, int Stride>
struct stage {
  const char* name;
  block<T, In, Out, Stride> first;
  block<T, Out, Out, 1> second;
  explicit stage(const char* n) : name(n) {}
  auto members() const { return std::tie(first, second); }
  auto members() { return std::tie(first, second); }
  auto operator()(const auto& x) const { return second(first(x)); }
};
template <dtype T>
struct resnet18 {
  nn::conv2d<3, 8, 7, nn::conv_options{.stride = 2, .padding = 3, .bias = false, .type = T}> conv1{"conv1"};
  nn::batch_norm<8, T> bn1{"bn1"};
  stage<T, 8, 8, 1> layer1{"layer1"};
  stage<T, 8, 16, 2> layer2{"layer2"};
  stage<T, 16, 32, 2> layer3{"layer3"};
  stage<T, 32, 64, 2> layer4{"layer4"};
  nn::linear<64, 10, nn::linear_options{.type = T}> fc{"fc"};
  auto operator()(const auto& x) const {
    const auto stem = max_pool2d(relu(bn1(conv1(x))), 3_c, 2_c, 1_c);
    return fc(mean(layer4(layer3(layer2(layer1(stem)))), list_of(2_c, 3_c)));
  }
};

struct torch_block : torch::nn::Module {
  torch::nn::Conv2d conv1, conv2;
  torch::nn::BatchNorm2d bn1, bn2;
  torch::nn::Sequential downsample;
  torch_block(int in_features, int out, int stride)
      : conv1(torch::nn::Conv2dOptions(in_features, out, 3).stride(stride).padding(1).bias(false)),
        conv2(torch::nn::Conv2dOptions(out, out, 3).padding(1).bias(false)), bn1(out), bn2(out) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("conv2", conv2);
    register_module("bn2", bn2);
    if (stride == 1) return;
    downsample->push_back(torch::nn::Conv2d(torch::nn::Conv2dOptions(in_features, out, 1).stride(stride).bias(false)));
    downsample->push_back(torch::nn::BatchNorm2d(out));
    register_module("downsample", downsample);
  }
  auto forward(const at::Tensor& x) -> at::Tensor {
    const at::Tensor y = bn2(conv2(at::relu(bn1(conv1(x)))));
    return at::relu(y + (downsample->is_empty() ? x : downsample->forward(x)));
  }
};
struct torch_resnet18 : torch::nn::Module {
  torch::nn::Conv2d conv1{torch::nn::Conv2dOptions(3, 8, 7).stride(2).padding(3).bias(false)};
  torch::nn::BatchNorm2d bn1{8};
  torch::nn::Sequential layers[4];
  torch::nn::Linear fc{64, 10};
  torch_resnet18() {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    for (int i = 0; i < 4; ++i) {
      const int in_features = i == 0 ? 8 : 4 << i, out = 8 << i;
      layers[i]->push_back(std::make_shared<torch_block>(in_features, out, i == 0 ? 1 : 2));
      layers[i]->push_back(std::make_shared<torch_block>(out, out, 1));
      register_module("layer" + std::to_string(i + 1), layers[i]);
    }
    register_module("fc", fc);
  }
  auto forward(at::Tensor x) -> at::Tensor {
    x = at::max_pool2d(at::relu(bn1(conv1(x))), {3, 3}, {2, 2}, {1, 1});
    for (auto& layer : layers) x = layer->forward(x);
    return fc(x.mean({2, 3}));
  }
};

}  // namespace

TEST_CASE("a residual network with the weights of torch::nn's: outputs, running statistics, inference") {
  at::manual_seed(11);
  torch_resnet18 theirs;
  move_all(theirs);
  // Compares in float64, because the statistics of a few samples magnify rounding errors.
  theirs.to(at::kDouble);
  const at::Tensor images = at::randn({6, 3, 48, 48}, at::kDouble);  // (samples, channels, h, w)
  const at::NoGradGuard no_grad;
  const auto is_theirs = [&](const at::Tensor& y) { return relative_error(y, theirs.forward(images)) <= 1e-12; };
  resnet18<float64> net;
  load(net, theirs);
  const input<float64, batch, 3, 48, 48> x{"x"};
  theirs.eval();
  set_training(net, false);
  CHECK(is_theirs(run(net(x), x = images)));
  CHECK(is_theirs(run(net(x), {.chunk = 4}, x = images)));
  CHECK(is_theirs(net(images)));
  theirs.train();
  set_training(net, true);
  for (const index_t chunk : {index_t{6}, index_t{2}}) {
    CHECK(is_theirs(run(net(x), {.chunk = chunk}, x = images)));
    for (const auto& b : named_buffers(net)) {
      INFO(b.name);
      CHECK(relative_error(b.tensor(), theirs.named_buffers()[b.name]) <= 1e-12);
    }
  }
}

TEST_CASE("attention begins with biases of 0, as torch::nn's") {
  const nn::multihead_attention<16, 4> attention{"attention"};
  CHECK(tensor_of(attention.out_proj.bias).eq(0).all().item<bool>());
  CHECK(tensor_of(attention.in_proj_bias).eq(0).all().item<bool>());
  CHECK(tensor_of(attention.out_proj.weight).ne(0).any().item<bool>());
}

TEST_CASE("a transformer encoder of six layers with the weights of torch::nn's") {
  at::manual_seed(12);
  constexpr int width = 32, heads = 4, hidden = 64;
  torch::nn::TransformerEncoder theirs(torch::nn::TransformerEncoderOptions(
      torch::nn::TransformerEncoderLayerOptions(width, heads).dim_feedforward(hidden), 6));
  nn::transformer_encoder<nn::transformer_encoder_layer<width, heads, hidden>, 6> net;
  move_all(*theirs);
  load(net, *theirs);
  theirs->eval();
  set_training(net, false);
  const at::Tensor t = at::randn({5, 7, width});  // (samples, time, width)
  const input<batch, 7, width> x{"x"};
  const at::NoGradGuard no_grad;
  const at::Tensor want = theirs->forward(t.transpose(0, 1)).transpose(0, 1);
  CHECK(close(run(net(x), x = t), want));
  CHECK(close(run(net(x), {.chunk = 2}, x = t), want));
  CHECK(close(net(t), want));
}

TEST_CASE("a transformer's dropouts are set at once") {
  nn::transformer_encoder_layer<8, 2, 16> layer{"layer"};
  const at::Tensor t = at::randn({3, 4, 8});
  const input<batch, 4, 8> x{"x"};
  layer.set_dropout(0);
  CHECK(layer.drop.p == 0);
  CHECK(layer.self_attn.dropout == 0);
  const at::Tensor trained = run(layer(x), x = t);
  layer.set_dropout(0.5);
  CHECK(layer.drop.p == 0.5);
  CHECK(layer.self_attn.dropout == 0.5);
  CHECK(!close(run(layer(x), x = t), trained));
  set_training(layer, false);
  CHECK(close(run(layer(x), x = t), trained));
}

TEST_CASE("recurrent layers with the weights of torch::nn's: lstm of two layers, both directions, gru, rnn") {
  at::manual_seed(13);
  const at::Tensor t = at::randn({6, 5, 8});  // (time, samples, features)
  const input<6, batch, 8> x{"x"};
  const at::NoGradGuard no_grad;
  const auto agree = [&](const auto& got, const auto& want) {
    CHECK(close(run(got, x = t), want));
    CHECK(close(run(got, {.chunk = 2}, x = t), want));
  };
  {
    torch::nn::LSTM theirs(torch::nn::LSTMOptions(8, 16).num_layers(2));
    const nn::lstm<8, 16, nn::rnn_options{.layers = 2}> net;
    load(net, *theirs);
    const auto [want, states] = theirs->forward(t);
    const auto [y, h, c] = net(x);
    agree(y, want);
    agree(h, std::get<0>(states));
    agree(c, std::get<1>(states));
  }
  {
    torch::nn::LSTM theirs(torch::nn::LSTMOptions(8, 16).num_layers(2).bidirectional(true));
    const nn::lstm<8, 16, nn::rnn_options{.layers = 2, .bidirectional = true}> net;
    load(net, *theirs);
    const auto [want, states] = theirs->forward(t);
    const auto [y, h, c] = net(x);
    agree(y, want);
    agree(h, std::get<0>(states));
    agree(c, std::get<1>(states));
  }
  {
    torch::nn::GRU theirs(torch::nn::GRUOptions(8, 16));
    const nn::gru<8, 16> net;
    load(net, *theirs);
    const auto [want, state] = theirs->forward(t);
    const auto [y, h] = net(x);
    agree(y, want);
    agree(h, state);
  }
  {
    torch::nn::RNN theirs(torch::nn::RNNOptions(8, 16).nonlinearity(torch::kReLU));
    const nn::rnn_relu<8, 16> net;
    load(net, *theirs);
    const auto [want, state] = theirs->forward(t);
    const auto [y, h] = net(x);
    agree(y, want);
    agree(h, state);
  }
}

namespace {

inline constexpr struct times : axis<times> {
  using axis::operator=;
} times;

}  // namespace

TEST_CASE("trials A2: a recurrent layer's states are added to what it read, whose time is an axis") {
  const auto check = [](const auto& net, const auto& x, const at::Tensor& given) {
    const auto y = square(x);
    const auto all = std::get<0>(net(y));
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(y + all)>, shape_t<std::remove_cvref_t<decltype(x)>>>);
    const at::Tensor want = given * given + std::get<0>(net(given * given));
    for (const index_t chunk : {6, 1}) {
      const options o{.chunk = chunk};
      CHECK(close(run(y + all, o, x = given), want));
      const auto loss = sum((y + all) * all);
      const at::Tensor slope = run(gradient(loss, x), o, x = given);
      CHECK(at::isfinite(slope).all().item<bool>());
    }
  };
  const input<times, batch, 4> x("x");
  const at::Tensor given = at::rand({7, 6, 4});
  check(nn::lstm<4, 4>(), x, given);
  check(nn::lstm<4, 4, nn::rnn_options{.layers = 2}>(), x, given);
  check(nn::lstm<4, 2, nn::rnn_options{.bidirectional = true}>(), x, given);
  check(nn::gru<4, 4>(), x, given);
  check(nn::gru<4, 2, nn::rnn_options{.layers = 2, .bidirectional = true}>(), x, given);
  check(nn::rnn<4, 4>(), x, given);
  check(nn::rnn_relu<4, 2, nn::rnn_options{.bidirectional = true}>(), x, given);
  const input<batch, times, 4> first("x");
  const at::Tensor transposed = given.transpose(0, 1).contiguous();
  check(nn::lstm<4, 4, nn::rnn_options{.batch_first = true}>(), first, transposed);
  check(nn::gru<4, 2, nn::rnn_options{.bidirectional = true, .batch_first = true}>(), first, transposed);
  check(nn::rnn<4, 4, nn::rnn_options{.bias = false, .batch_first = true}>(), first, transposed);
}
