// SPDX-License-Identifier: MIT
// A character-level GPT (Radford et al. 2019), trained on a text that every Debian system has.
#include <koila/koila.hpp>
#include <koila/nn/nn.hpp>

#include <ATen/ATen.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

using namespace koila;

inline constexpr int context = 64, width = 64, heads = 4, characters = 128;

namespace {

struct block {
  nn::layer_norm<width> ln1{"ln1"}, ln2{"ln2"};
  nn::linear<width, 3 * width> qkv{"qkv"};
  nn::linear<width, width> out{"out"};
  nn::linear<width, 4 * width> up{"up"};
  nn::linear<4 * width, width> down{"down"};

  auto operator()(const erased<batch, context, width>& x) const -> erased<batch, context, width> {
    const auto split = let(reshape(qkv(ln1(x)), batch, hana::int_c<context>, 3_c, hana::int_c<heads>, -1_c));
    const auto part = [&](auto i) {
      return transpose(select(split, 2_c, i), 1_c, 2_c);
    };  // (batch, heads, context, 16)
    const auto y = scaled_dot_product_attention(part(0_c), part(1_c), part(2_c), is_causal = true);
    const auto h = let(x + out(reshape(transpose(y, 1_c, 2_c), batch, hana::int_c<context>, hana::int_c<width>)));
    return h + down(gelu(up(ln2(h))));
  }
};

struct gpt {
  nn::embedding<characters, width> token{"token"};
  parameter<context, width> position{"position", {initial::normal, 0.02}};
  nn::repeated<block, 2> blocks{"blocks"};
  nn::layer_norm<width> ln{"ln"};
  nn::linear<width, characters> head{"head"};

  auto operator()(const auto& text) const {
    erased<batch, context, width> h = token(text) + position;
    for (const block& b : blocks) h = b(h);
    return head(ln(h));  // (batch, context, characters)
  }
};

}  // namespace

int main() {
  const char* const name = "/usr/share/common-licenses/GPL-3";
  std::ifstream file(name);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (text.size() <= context + 1)
    return std::fprintf(stderr, "char_gpt: cannot read %s, or it is too short\n", name), 77;  // CTest: skipped
  at::Tensor all = at::empty({static_cast<std::int64_t>(text.size())}, at::kLong);  // (35149)
  for (std::size_t i = 0; i < text.size(); ++i) all[static_cast<std::int64_t>(i)] = text[i] & 127;

  at::manual_seed(1);
  const gpt net;
  const input<int64, batch, context> x{"x"}, next{"next"};
  const auto loss = cross_entropy(reshape(net(x), -1_c, hana::int_c<characters>), reshape(next, -1_c));
  auto train = step(loss, adamw{.lr = 3e-3}, {.memory = 64_MiB});
  const warmup schedule{20, cosine_annealing_lr{3e-3, 600}};

  double value = 4;  // a running mean of the loss
  for (int i = 0; i < 600; ++i) {
    const at::Tensor starts = at::randint(all.size(0) - context - 1, {16, 1}, at::kLong);  // (16, 1)
    const at::Tensor indices = starts + at::arange(context);                                    // (16, 64)
    train.optimizer.lr = schedule(i);
    value += 0.05 * (train(x = all.index({indices}), next = all.index({indices + 1})).item<double>() - value);
    if (i % 100 == 99) std::printf("step %d: loss %.3f\n", i + 1, value);
  }
  return value < 2.3 ? 0 : 1;
}
