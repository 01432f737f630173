// SPDX-License-Identifier: MIT
// A training program of a language model with 12 transformer blocks. scripts/compile_time measures
// how long it takes to compile.
#include <koila/koila.hpp>
#include <koila/nn/nn.hpp>

#include <ATen/ops/randint.h>
#include <ATen/ops/roll.h>

#include <cstdio>

using namespace koila;

inline constexpr int context = 64, width = 128, characters = 256;

int main() {
  nn::embedding<characters, width> token{"token"};
  parameter<context, width> position{"position", {initial::normal, 0.02}};
  nn::transformer_encoder<nn::transformer_encoder_layer<width, 4, 4 * width>, 12> encoder{"encoder"};
  nn::linear<width, characters> head{"head"};
  for (auto& layer : encoder.layers) layer.norm_first = layer.use_gelu = layer.self_attn.is_causal = true;

  const input<int64, batch, context> x{"x"}, next{"next"};
  const erased<batch, context, width> h = token(x) + position;
  const auto loss = cross_entropy(reshape(head(encoder(h)), -1_c, hana::int_c<characters>), reshape(next, -1_c));
  auto train = step(loss, adamw{.lr = 1e-3}, {.memory = 512_MiB});
  const at::Tensor text = at::randint(characters, {8, context}, at::kLong);  // (8, 64)
  for (int i = 0; i < 3; ++i)
    std::printf("loss %.3f\n", train(x = text, next = at::roll(text, {-1}, {1})).item<double>());
}
