// SPDX-License-Identifier: MIT
#pragma once
// examples/char_gpt.cpp, smaller: a character-level GPT (Radford et al. 2019).
#include <koila/nn/nn.hpp>

#include "models/maker.hpp"

namespace models {

inline constexpr int gpt_context = 12, gpt_width = 16, gpt_heads = 2, gpt_characters = 32;

template <dtype T>
struct gpt_block {
  static constexpr nn::linear_options linear_of{.type = T};
  nn::layer_norm<nn::norm_options{.type = T}, gpt_width> ln1{"ln1"}, ln2{"ln2"};
  nn::linear<gpt_width, 3 * gpt_width, linear_of> qkv{"qkv"};
  nn::linear<gpt_width, gpt_width, linear_of> out{"out"};
  nn::linear<gpt_width, 4 * gpt_width, linear_of> up{"up"};
  nn::linear<4 * gpt_width, gpt_width, linear_of> down{"down"};

  using value = erased<T, koila::batch, gpt_context, gpt_width>;
  auto operator()(const value& x) const -> value {
    const auto split =
        let(reshape(qkv(ln1(x)), koila::batch, hana::int_c<gpt_context>, 3_c, hana::int_c<gpt_heads>, -1_c));
    const auto part = [&](auto i) { return transpose(select(split, 2_c, i), 1_c, 2_c); };  // (batch, heads, context, 8)
    const auto y = scaled_dot_product_attention(part(0_c), part(1_c), part(2_c), is_causal = true);
    const value h =
        x + out(reshape(transpose(y, 1_c, 2_c), koila::batch, hana::int_c<gpt_context>, hana::int_c<gpt_width>));
    return h + down(gelu(up(ln2(h))));
  }
};

template <dtype T>
struct gpt {
  nn::embedding<gpt_characters, gpt_width, T> token{"token"};
  parameter<T, gpt_context, gpt_width> position{"position", {initial::normal, 0.02}};
  nn::repeated<gpt_block<T>, 2> blocks{"blocks"};
  nn::layer_norm<nn::norm_options{.type = T}, gpt_width> ln{"ln"};
  nn::linear<gpt_width, gpt_characters, nn::linear_options{.type = T}> head{"head"};

  auto operator()(const auto& text) const {
    typename gpt_block<T>::value h = token(text) + position;
    for (const auto& b : blocks) h = b(h);
    return head(ln(h));  // (batch, context, characters)
  }
};

template <dtype T>
auto char_gpt() -> model {
  maker m(T);
  const gpt<T> net;
  const input<int64, koila::batch, gpt_context> x{"x"}, next{"next"};
  m.own(net);
  m.own_classes(x, gpt_characters, {gpt_context});
  m.own_classes(next, gpt_characters, {gpt_context});
  const auto y = let(net(x));
  const auto loss = cross_entropy(reshape(y, -1_c, hana::int_c<gpt_characters>), reshape(next, -1_c));
  return m.finish("char_gpt", y, loss);
}

}  // namespace models
