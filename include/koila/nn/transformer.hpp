// SPDX-License-Identifier: MIT
#pragma once
// Attention and transformer layers.
#include <koila/nn/dropout.hpp>
#include <koila/nn/either.hpp>
#include <koila/nn/normalization.hpp>
#include <koila/nn/sequential.hpp>
#include <koila/ops/activation/gelu.hpp>
#include <koila/ops/activation/relu.hpp>
#include <koila/ops/attention/scaled_dot_product_attention.hpp>
#include <koila/ops/indexing/flatten.hpp>
#include <koila/ops/indexing/narrow.hpp>
#include <koila/ops/indexing/transpose.hpp>
#include <koila/ops/indexing/unflatten.hpp>
#include <koila/ops/pointwise/add.hpp>

namespace koila::inline v0::nn {

/// (batch, l, E) x (batch, s, E) x (batch, s, E) -> (batch, l, E): attention with several heads,
/// Vaswani et al. 2017. The batch comes first. torch.nn.MultiheadAttention with batch_first = true.
template <index_t E, index_t Heads>
struct multihead_attention
    : koila::detail::refusing_layer<struct koila::linear, parameter<3 * E, E>, parameter<3 * E>> {
  static_assert(E % Heads == 0, "the embedding is divisible by the heads");
  const char* name;
  parameter<3 * E, E> in_proj_weight{"in_proj_weight", {initial::xavier_uniform}};
  parameter<3 * E> in_proj_bias{"in_proj_bias", {initial::constant, 0}};
  linear<E, E> out_proj{"out_proj", {initial::constant, 0}};
  double dropout = 0;
  bool training = true, is_causal = false;

  constexpr multihead_attention() : multihead_attention("") {}
  constexpr explicit multihead_attention(const char* n) : name(n) {}
  auto members() const { return std::tie(in_proj_weight, in_proj_bias, out_proj); }
  auto members() { return std::tie(in_proj_weight, in_proj_bias, out_proj); }

  using multihead_attention::refusing_layer::operator();
  /// Self-attention.
  template <class X>
    requires(!multihead_attention::template refuses<X>)
  auto operator()(const X& x) const {
    const auto all = detail::shared(koila::linear(x, in_proj_weight, in_proj_bias));  // (batch, l, 3 * E)
    return attend(projection<0>(all, -1_c), projection<1>(all, -1_c), projection<2>(all, -1_c));
  }
  /// Attention of queries to keys and values.
  template <class Q, class K, class V>
  auto operator()(const Q& query, const K& key, const V& value) const {
    if constexpr (detail::mixed<Q, K, V>) {
      return (*this)(detail::lazily(query), detail::lazily(key), detail::lazily(value));
    } else {
      const auto projected = [&]<int I>(const auto& x, hana::int_<I>) {
        return koila::linear(x, detail::beside(x, projection<I>(in_proj_weight, 0_c), in_proj_weight),
                             detail::beside(x, projection<I>(in_proj_bias, 0_c), in_proj_bias));
      };
      return attend(projected(query, hana::int_c<0>), projected(key, hana::int_c<1>), projected(value, hana::int_c<2>));
    }
  }

 private:
  template <int I>
  static auto projection(const auto& x, auto along) {
    return narrow(x, along, hana::integral_constant<index_t, I * E>{}, hana::integral_constant<index_t, E>{});
  }
  static auto heads(const auto& x) {  // (batch, heads, l, E / heads)
    return transpose(
        unflatten(x, -1_c,
                  list_of(hana::integral_constant<index_t, Heads>{}, hana::integral_constant<index_t, E / Heads>{})),
        -3_c, -2_c);
  }
  auto attend(const auto& q, const auto& k, const auto& v) const {
    const auto y = scaled_dot_product_attention(
        heads(q), heads(k), heads(v), koila::dropout_p = training ? dropout : 0.0, koila::is_causal = is_causal);
    return out_proj(koila::flatten(transpose(y, -3_c, -2_c), -2_c, -1_c));
  }
};

/// (batch, l, E) -> (batch, l, E): attention, then a feed-forward block of two linear layers. The
/// result of the attention is added to the attention's input, and the result of the block to the
/// block's input. Each sum is normalised. If norm_first is true, the inputs of the attention and of
/// the block are normalised instead of the sums. torch.nn.TransformerEncoderLayer with batch_first
/// = true.
template <index_t E, index_t Heads, index_t Hidden = 2048>
struct transformer_encoder_layer
    : koila::detail::refusing_layer<struct koila::linear, parameter<3 * E, E>, parameter<3 * E>> {
  const char* name;
  multihead_attention<E, Heads> self_attn{"self_attn"};
  linear<E, Hidden> linear1{"linear1"};
  linear<Hidden, E> linear2{"linear2"};
  layer_norm<E> norm1{"norm1"}, norm2{"norm2"};
  dropout drop{.p = 0.1};
  bool norm_first = false, use_gelu = false;

  constexpr transformer_encoder_layer() : transformer_encoder_layer("") {}
  constexpr explicit transformer_encoder_layer(const char* n) : name(n) { self_attn.dropout = drop.p; }
  auto members() const { return std::tie(self_attn, linear1, linear2, norm1, norm2, drop); }
  auto members() { return std::tie(self_attn, linear1, linear2, norm1, norm2, drop); }
  /// Sets the probability of every dropout of the layer.
  void set_dropout(double p) { drop.p = self_attn.dropout = p; }

  using transformer_encoder_layer::refusing_layer::operator();
  template <class X>
    requires(!transformer_encoder_layer::template refuses<X>)
  auto operator()(const X& operands) const {
    using value = typename detail::loop_value<X>::type;
    const value x = operands;
    if (norm_first) {
      const value h = x + drop(self_attn(detail::shared(norm1(x))));
      return value(h + drop(feed_forward(norm2(h))));
    }
    const value h = norm1(x + drop(self_attn(x)));
    return value(norm2(h + drop(feed_forward(h))));
  }

 private:
  auto feed_forward(const auto& x) const {
    using value = typename detail::loop_value<std::remove_cvref_t<decltype(linear1(x))>>::type;
    const value h = linear1(x);
    return linear2(drop(use_gelu ? value(gelu(h)) : value(relu(h))));
  }
};

/// N layers of one type, one after the other. torch.nn.TransformerEncoder.
template <class Layer, std::size_t N>
struct transformer_encoder {
  const char* name;
  repeated<Layer, N> layers{"layers"};

  constexpr transformer_encoder() : transformer_encoder("") {}
  constexpr explicit transformer_encoder(const char* n) : name(n) {}
  auto members() const { return std::tie(layers); }
  auto members() { return std::tie(layers); }

  template <class X>
  auto operator()(const X& x) const {
    typename detail::loop_value<X>::type h = x;
    for (const Layer& layer : layers) h = layer(h);
    return h;
  }
};

}  // namespace koila::inline v0::nn
