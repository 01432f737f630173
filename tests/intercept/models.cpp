// SPDX-License-Identifier: MIT
// Unmodified networks of torch::nn, with intercepted inputs.
#include "intercept/support.hpp"

namespace intercept_test {

namespace {

constexpr std::int64_t samples = 8;

auto labels() -> Tensor { return torch::randint(10, {samples}, torch::kInt64); }
/// The loss of a classifier.
const auto classify = [](auto& net, const Tensor& x, const Tensor& y) {
  const Tensor out = net->forward(x);
  return std::pair(F::cross_entropy(out, y), out);
};
/// The loss of a network that computes y.
const auto regress = [](auto& net, const Tensor& x, const Tensor& y) {
  const Tensor out = net->forward(x);
  return std::pair(F::mse_loss(out, y), out);
};

TEST_CASE("intercept: a multilayer perceptron") {
  const in_float64 mode;
  check(Sequential(Linear(20, 30), ReLU(), Linear(30, 10)), torch::randn({samples, 20}), labels(), classify);
}

TEST_CASE("intercept: LeNet with max pooling") {
  const in_float64 mode;
  check(Sequential(Conv2d(1, 6, 5), ReLU(), MaxPool2d(2), Conv2d(6, 16, 5), ReLU(), MaxPool2d(2), Flatten(),
                   Linear(256, 120), ReLU(), Linear(120, 84), ReLU(), Linear(84, 10)),
        torch::randn({samples, 1, 28, 28}), labels(), classify);
}

TEST_CASE("intercept: LeNet as LibTorch's tutorial writes it, with functions and view") {
  const in_float64 mode;
  struct net_impl : Module {
    Conv2d c1{register_module("c1", Conv2d(Conv2dOptions(1, 10, 5)))}, c2{register_module("c2", Conv2d(10, 20, 5))};
    Linear f1{register_module("f1", Linear(320, 50))}, f2{register_module("f2", Linear(50, 10))};
    auto forward(Tensor x) -> Tensor {
      x = torch::relu(torch::max_pool2d(c1->forward(x), 2));
      x = torch::relu(torch::max_pool2d(c2->forward(x), 2));
      x = x.view({-1, 320});
      x = torch::relu(f1->forward(x));
      return torch::log_softmax(f2->forward(x), /*dim=*/1);
    }
  };
  check(std::make_shared<net_impl>(), torch::randn({samples, 1, 28, 28}), labels(),
        [](auto& net, const Tensor& x, const Tensor& y) {
          const Tensor out = net->forward(x);
          return std::pair(torch::nll_loss(out, y), out);
        });
}

TEST_CASE("intercept: batch norm has the statistics of the whole batch, and moves them once") {
  const in_float64 mode;
  check(Sequential(Conv2d(Conv2dOptions(1, 6, 3).padding(1).bias(false)), BatchNorm2d(6), ReLU(), MaxPool2d(2),
                   Conv2d(6, 8, 3), BatchNorm2d(BatchNorm2dOptions(8).affine(false)), ReLU(), Flatten(),
                   Linear(8 * 36, 20), BatchNorm1d(20), Linear(20, 10)),
        torch::randn({samples, 1, 16, 16}), labels(), classify);
}

struct blockImpl : Module {
  Conv2d c1{register_module("c1", Conv2d(Conv2dOptions(4, 4, 3).padding(1)))};
  BatchNorm2d b1{register_module("b1", BatchNorm2d(4))};
  Conv2d c2{register_module("c2", Conv2d(Conv2dOptions(4, 4, 3).padding(1)))};
  BatchNorm2d b2{register_module("b2", BatchNorm2d(4))};
  auto forward(const Tensor& x) -> Tensor {
    return torch::relu(b2->forward(c2->forward(torch::relu(b1->forward(c1->forward(x))))) + x);
  }
};
TORCH_MODULE(block);

TEST_CASE("intercept: a residual network with batch norm") {
  const in_float64 mode;
  check(Sequential(Conv2d(3, 4, 3), block(), block(), AdaptiveAvgPool2d(1), Flatten(), Linear(4, 10)),
        torch::randn({samples, 3, 10, 10}), labels(), classify, 1e-11);
}

TEST_CASE("intercept: recurrent networks") {
  const in_float64 mode;
  const Tensor x = torch::randn({samples, 7, 12});
  const auto of_states = [](auto& net, const Tensor& a, const Tensor& b) {
    const auto [out, state] = net->forward(a);
    return std::pair(F::mse_loss(out, b), out);
  };
  check(LSTM(LSTMOptions(12, 16).num_layers(2).bidirectional(true).batch_first(true)), x,
        torch::randn({samples, 7, 32}), [](auto& net, const Tensor& a, const Tensor& b) {
          const auto [out, state] = net->forward(a);
          return std::pair(F::mse_loss(out, b) + std::get<0>(state).pow(2).mean() + std::get<1>(state).mean(), out);
        });
  check(LSTM(LSTMOptions(12, 16).bias(false).batch_first(true)), x, torch::randn({samples, 7, 16}), of_states);
  check(GRU(GRUOptions(12, 16).num_layers(2)), x, torch::randn({samples, 16}),
        [](auto& net, const Tensor& a, const Tensor& b) {
          const auto [out, state] = net->forward(a.transpose(0, 1));
          return std::pair(F::mse_loss(out[-1], b) + state.mean(), out);
        });
  check(RNN(RNNOptions(12, 16).batch_first(true)), x, torch::randn({samples, 7, 16}), of_states);
  check(RNN(RNNOptions(12, 16).batch_first(true).nonlinearity(torch::kReLU)), x, torch::randn({samples, 7, 16}),
        of_states);
}

TEST_CASE("intercept: an LSTM that starts from zeros that the program makes") {  // trap: plain tensors with N rows
  const in_float64 mode;
  check(LSTM(LSTMOptions(12, 16).batch_first(true)), torch::randn({samples, 7, 12}), torch::randn({samples, 7, 16}),
        [](auto& net, const Tensor& a, const Tensor& b) {
          const Tensor zero = torch::zeros({1, a.size(0), 16});
          const auto [out, state] = net->forward(a, std::tuple(zero, zero));
          return std::pair(F::mse_loss(out, b), out);
        });
}

TEST_CASE("intercept: a cell that is called step by step") {
  const in_float64 mode;
  check(LSTMCell(6, 8), torch::randn({samples, 5, 6}), torch::randn({samples, 8}),
        [](auto& net, const Tensor& a, const Tensor& b) {
          Tensor h = torch::zeros({a.size(0), 8}), c = torch::zeros({a.size(0), 8});
          for (std::int64_t t = 0; t < a.size(1); ++t) std::tie(h, c) = net->forward(a.select(1, t), std::tuple(h, c));
          return std::pair(F::mse_loss(h, b), h);
        });
  check(GRUCell(6, 8), torch::randn({samples, 5, 6}), torch::randn({samples, 8}),
        [](auto& net, const Tensor& a, const Tensor& b) {
          Tensor h = torch::zeros({a.size(0), 8});
          for (std::int64_t t = 0; t < a.size(1); ++t) h = net->forward(a.select(1, t), h);
          return std::pair(F::mse_loss(h, b), h);
        });
}

TEST_CASE("intercept: transformers") {
  const in_float64 mode;
  const Tensor x = torch::randn({samples, 5, 16});
  const auto time_first = [](auto& net, const Tensor& a, const Tensor& b) {
    const Tensor out = net->forward(a.transpose(0, 1)).transpose(0, 1);
    return std::pair(F::mse_loss(out, b), out);
  };
  auto options = TransformerEncoderLayerOptions(16, 4).dim_feedforward(32).dropout(0.0);
  check(TransformerEncoderLayer(options), x, torch::randn({samples, 5, 16}), time_first);
  check(TransformerEncoder(TransformerEncoderOptions(TransformerEncoderLayer(options.activation(torch::kGELU)), 2)), x,
        torch::randn({samples, 5, 16}), time_first);
  check(Transformer(TransformerOptions(16, 4, 1, 1).dim_feedforward(32).dropout(0.0)), x,
        torch::randn({samples, 4, 16}), [](auto& net, const Tensor& a, const Tensor& b) {
          const Tensor out = net->forward(a.transpose(0, 1), b.transpose(0, 1)).transpose(0, 1);
          return std::pair(F::mse_loss(out, b), out);
        });
  check(MultiheadAttention(MultiheadAttentionOptions(16, 4)), x, torch::randn({samples, 5, 16}),
        [](auto& net, const Tensor& a, const Tensor& b) {
          const Tensor q = a.transpose(0, 1);
          const Tensor out = std::get<0>(net->forward(q, q, q)).transpose(0, 1);
          return std::pair(F::mse_loss(out, b), out);
        });
}

TEST_CASE("intercept: a small GPT with tied weights and a causal mask") {
  const in_float64 mode;
  struct gpt_impl : Module {
    Embedding tokens{register_module("tokens", Embedding(20, 16))}, places{register_module("places", Embedding(6, 16))};
    Linear qkv{register_module("qkv", Linear(16, 48))}, out{register_module("out", Linear(16, 16))};
    LayerNorm n1{register_module("n1", LayerNorm(LayerNormOptions({16})))},
        n2{register_module("n2", LayerNorm(LayerNormOptions({16})))};
    Linear up{register_module("up", Linear(16, 64))}, down{register_module("down", Linear(64, 16))};
    auto forward(const Tensor& ids) -> Tensor {
      const std::int64_t n = ids.size(0), t = ids.size(1);
      Tensor x = tokens->forward(ids) + places->forward(torch::arange(t));
      const auto parts = qkv->forward(n1->forward(x)).chunk(3, -1);
      const auto heads = [&](const Tensor& v) { return v.view({n, t, 4, 4}).transpose(1, 2); };
      Tensor scores = torch::matmul(heads(parts[0]), heads(parts[1]).transpose(-2, -1)) / 2.0;
      scores = scores.masked_fill(torch::ones({t, t}).tril() == 0, -INFINITY);
      const Tensor mixed = torch::matmul(torch::softmax(scores, -1), heads(parts[2]));
      x = x + out->forward(mixed.transpose(1, 2).contiguous().view({n, t, 16}));
      x = x + down->forward(torch::gelu(up->forward(n2->forward(x))));
      return torch::matmul(x, tokens->weight.t());
    }
  };
  check(std::make_shared<gpt_impl>(), torch::randint(20, {samples, 6}, torch::kInt64),
        torch::randint(20, {samples, 6}, torch::kInt64), [](auto& net, const Tensor& x, const Tensor& y) {
          const Tensor out = net->forward(x);
          return std::pair(F::cross_entropy(out.view({-1, 20}), y.view({-1})), out);
        });
}

TEST_CASE("intercept: normalisations and activations") {
  const in_float64 mode;
  check(Sequential(LayerNorm(LayerNormOptions({20})), Linear(20, 24), GELU(),
                   Functional([](const Tensor& x) { return x.view({-1, 4, 6}); }), GroupNorm(2, 4),
                   InstanceNorm1d(InstanceNorm1dOptions(4).affine(true)), Flatten(), SiLU(), Linear(24, 16), ELU(),
                   Mish(), Softplus(), LeakyReLU(), Linear(16, 16), Tanh(), PReLU(), Hardtanh(), SELU(), CELU(),
                   Sigmoid(), Softsign(), Linear(16, 10), LogSoftmax(1)),
        torch::randn({samples, 20}), labels(), [](auto& net, const Tensor& x, const Tensor& y) {
          const Tensor out = net->forward(x);
          return std::pair(F::nll_loss(out, y), out);
        });
}

TEST_CASE("intercept: embeddings, and a mean over the tokens") {
  const in_float64 mode;
  check(Sequential(Embedding(30, 8), Functional([](const Tensor& x) { return x.mean(1); }), Linear(8, 10)),
        torch::randint(30, {samples, 6}, torch::kInt64), labels(), classify);
  check(Sequential(Embedding(EmbeddingOptions(30, 8).padding_idx(3)),
                   Functional([](const Tensor& x) { return x.sum(1); }), Linear(8, 10)),
        torch::randint(30, {samples, 6}, torch::kInt64), labels(), classify);
}

TEST_CASE("intercept: an autoencoder with transposed convolutions") {
  const in_float64 mode;
  check(Sequential(Conv2d(Conv2dOptions(1, 4, 3).stride(2).padding(1)), ReLU(),
                   Conv2d(Conv2dOptions(4, 8, 3).stride(2).padding(1)), ReLU(),
                   ConvTranspose2d(ConvTranspose2dOptions(8, 4, 3).stride(2).padding(1).output_padding(1)), ReLU(),
                   ConvTranspose2d(ConvTranspose2dOptions(4, 1, 3).stride(2).padding(1).output_padding(1)), Sigmoid()),
        torch::randn({samples, 1, 12, 12}), torch::rand({samples, 1, 12, 12}),
        [](auto& net, const Tensor& x, const Tensor& y) {
          const Tensor out = net->forward(x);
          return std::pair(F::binary_cross_entropy(out, y), out);
        });
}

TEST_CASE("intercept: U-Net joins what it has split") {
  const in_float64 mode;
  struct unet_impl : Module {
    Conv2d a{register_module("a", Conv2d(Conv2dOptions(1, 4, 3).padding(1)))},
        b{register_module("b", Conv2d(Conv2dOptions(4, 8, 3).padding(1)))},
        c{register_module("c", Conv2d(Conv2dOptions(8, 1, 1)))};
    ConvTranspose2d up{register_module("up", ConvTranspose2d(ConvTranspose2dOptions(8, 4, 2).stride(2)))};
    auto forward(const Tensor& x) -> Tensor {
      const Tensor top = torch::relu(a->forward(x));
      const Tensor low = torch::relu(b->forward(torch::max_pool2d(top, 2)));
      return c->forward(torch::cat({top, up->forward(low)}, 1));
    }
  };
  check(std::make_shared<unet_impl>(), torch::randn({samples, 1, 8, 8}), torch::randn({samples, 1, 8, 8}), regress);
}

TEST_CASE("intercept: a Siamese network with two passes through the same weights") {
  const in_float64 mode;
  check(Sequential(Linear(6, 8), Tanh(), Linear(8, 4)), torch::randn({samples, 6}), torch::randn({samples, 6}),
        [](auto& net, const Tensor& x, const Tensor& y) {
          const Tensor a = net->forward(x), b = net->forward(y);
          return std::pair(F::relu(1 - F::pairwise_distance(a, b)).mean() + (a - b).pow(2).sum(1).mean(), a);
        });
}

TEST_CASE("intercept: a contrastive loss over all pairs of the batch") {
  const in_float64 mode;
  check(Sequential(Linear(6, 8), Tanh(), Linear(8, 4)), torch::randn({samples, 6}), torch::randn({samples, 6}),
        [](auto& net, const Tensor& x, const Tensor& y) {
          const Tensor a = F::normalize(net->forward(x)), b = F::normalize(net->forward(y));
          const Tensor pairs = torch::matmul(a, b.t()) / 0.1;
          return std::pair(F::cross_entropy(pairs, torch::arange(x.size(0))), a);
        });
}

TEST_CASE("intercept: a mixture of experts weighted by softmax") {
  const in_float64 mode;
  struct moe_impl : Module {
    Linear gate{register_module("gate", Linear(6, 3))};
    ModuleList experts{register_module("experts", ModuleList(Linear(6, 4), Linear(6, 4), Linear(6, 4)))};
    auto forward(const Tensor& x) -> Tensor {
      std::vector<Tensor> all;
      for (std::size_t k = 0; k < 3; ++k) all.push_back(experts->at<LinearImpl>(k).forward(x));
      return (torch::stack(all, 1) * torch::softmax(gate->forward(x), 1).unsqueeze(-1)).sum(1);
    }
  };
  check(std::make_shared<moe_impl>(), torch::randn({samples, 6}), torch::randn({samples, 4}), regress);
}

TEST_CASE("intercept: a variational autoencoder with noise that the program draws") {
  const in_float64 mode;
  const Tensor noise = torch::randn({samples, 3});
  struct vae_impl : Module {
    Linear in{register_module("in", Linear(10, 8))}, mean{register_module("mean", Linear(8, 3))},
        logvar{register_module("logvar", Linear(8, 3))}, out{register_module("out", Linear(3, 10))};
  };
  check(std::make_shared<vae_impl>(), torch::rand({samples, 10}), torch::rand({samples, 10}),
        [&](auto& net, const Tensor& x, const Tensor&) {
          const Tensor h = torch::relu(net->in->forward(x));
          const Tensor mean = net->mean->forward(h), logvar = net->logvar->forward(h);
          const Tensor out = torch::sigmoid(net->out->forward(mean + noise * torch::exp(0.5 * logvar)));
          const Tensor kl = -0.5 * torch::sum(1 + logvar - mean.pow(2) - logvar.exp());
          return std::pair(
              F::binary_cross_entropy(out, x, F::BinaryCrossEntropyFuncOptions().reduction(torch::kSum)) + kl, out);
        });
}

}  // namespace

}  // namespace intercept_test
