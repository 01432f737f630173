// SPDX-License-Identifier: MIT
// Definitions of pairs.hpp.
#include "models/pairs.hpp"

#include "models/maker.hpp"

namespace models::pairs {

using namespace koila::detail;

namespace {

/// A perceptron with layer sizes in, hidden, hidden, 10, built from the maker's layers.
auto perceptron(const char* name, index_t in_features, index_t hidden, index_t batch) -> pair {
  maker m(dtype::float32);
  const dynamic x = m.normal("x", {in_features}), label = m.classes("label", 0, 9);
  const dynamic h = relu(m.linear(x, in_features, hidden));
  const dynamic y = m.linear(relu(m.linear(h, hidden, hidden)), hidden, 10);
  const auto eager = [](taker& take, const bound_tensors& inputs) {
    const at::Tensor a = take.linear(inputs[0].tensor).relu();
    const at::Tensor b = take.linear(a).relu();
    return at::cross_entropy_loss(take.linear(b), inputs[1].tensor);
  };
  return {m.finish(name, y, cross_entropy(y, label)), eager, batch};
}

}  // namespace

auto small_mlp() -> pair { return perceptron("small_mlp", 64, 64, 32); }
auto mlp() -> pair { return perceptron("mlp", 784, 512, 4096); }

auto feed_forward() -> pair {
  constexpr index_t width = 256, inner = 1024, rows = 128;
  maker m(dtype::float32);
  const dynamic x = m.normal("x", {rows, width}), target = m.normal("target", {rows, width});
  const dynamic h = gelu(m.linear(m.layer_norm(x, width), width, inner));
  const dynamic y = x + m.linear(h, inner, width);
  const auto eager = [](taker& take, const bound_tensors& inputs) {
    const at::Tensor v = at::gelu(take.linear(take.layer_norm(inputs[0].tensor)));
    return at::mse_loss(inputs[0].tensor + take.linear(v), inputs[1].tensor);
  };
  return {m.finish("feed_forward", y, mse_loss(y, target)), eager, 64};
}

auto lenet() -> pair {
  maker m(dtype::float32);
  const dynamic x = m.normal("x", {1, 28, 28}), label = m.classes("label", 0, 9);
  const dynamic a = max_pool2d(relu(m.conv2d(x, 1, 6, 5, {.padding = 2})), 2);  // (batch, 6, 14, 14)
  const dynamic b = max_pool2d(relu(m.conv2d(a, 6, 16, 5)), 2);                 // (batch, 16, 5, 5)
  const dynamic f = relu(m.linear(flatten(b, 1), 400, 120));
  const dynamic g = relu(m.linear(f, 120, 84));
  const dynamic y = m.linear(g, 84, 10);
  const auto eager = [](taker& take, const bound_tensors& inputs) {
    const at::Tensor p = at::max_pool2d(take.conv2d(inputs[0].tensor, 1, 2).relu(), 2);
    const at::Tensor q = at::max_pool2d(take.conv2d(p, 1, 0).relu(), 2);
    const at::Tensor r = take.linear(q.flatten(1)).relu();
    const at::Tensor s = take.linear(r).relu();
    return at::cross_entropy_loss(take.linear(s), inputs[1].tensor);
  };
  return {m.finish("lenet", y, cross_entropy(y, label)), eager, 256};
}

auto gpt() -> pair {
  constexpr index_t width = 192, heads = 4, context = 128, characters = 256;
  maker m(dtype::float32);
  const dynamic text = m.classes("text", 0, characters - 1, {context}),
                next = m.classes("next", 0, characters - 1, {context});
  const dynamic words = m.embedding(text, characters, width);
  dynamic h = words + dynamic(m.parameter("position", {context, width}, {initial::normal, 0.02}));
  for (int i = 0; i < 4; ++i) h = m.transformer_layer(h, width, heads, true);
  const dynamic y = m.linear(m.layer_norm(h, width), width, characters);
  const dynamic loss = cross_entropy(reshape(y, -1, characters), reshape(next, -1));
  const auto eager = [=](taker& take, const bound_tensors& inputs) {
    at::Tensor v = at::embedding(take(), inputs[0].tensor);
    v = v + take();
    for (int i = 0; i < 4; ++i) v = take.transformer_layer(v, heads, true);
    v = take.linear(take.layer_norm(v));
    return at::cross_entropy_loss(v.reshape({-1, characters}), inputs[1].tensor.flatten());
  };
  return {m.finish("gpt", y, loss), eager, 32};
}

auto unet() -> pair {
  maker m(dtype::float32);
  const auto twice = [&](const dynamic& x, index_t in_features, index_t out) -> dynamic {
    const dynamic h = relu(m.conv2d(x, in_features, out, 3, {.padding = 1}));
    return relu(m.conv2d(h, out, out, 3, {.padding = 1}));
  };
  const dynamic x = m.normal("x", {1, 64, 64}), label = m.classes("label", 0, 3, {64, 64});
  const dynamic a = twice(x, 1, 24), b = twice(max_pool2d(a, 2), 24, 48), c = twice(max_pool2d(b, 2), 48, 96);
  const dynamic d = twice(cat(m.conv_transpose2d(c, 96, 48, 2, 2), b, dim = 1), 96, 48);
  const dynamic e = twice(cat(m.conv_transpose2d(d, 48, 24, 2, 2), a, dim = 1), 48, 24);
  const dynamic y = m.conv2d(e, 24, 4, 1);
  const auto eager = [](taker& take, const bound_tensors& inputs) {
    const auto two = [&](const at::Tensor& v) {
      const at::Tensor h = take.conv2d(v, 1, 1).relu();
      return take.conv2d(h, 1, 1).relu();
    };
    const at::Tensor p = two(inputs[0].tensor), q = two(at::max_pool2d(p, 2)), r = two(at::max_pool2d(q, 2));
    const at::Tensor s = two(at::cat({take.conv_transpose2d(r, 2), q}, 1));
    const at::Tensor t = two(at::cat({take.conv_transpose2d(s, 2), p}, 1));
    return at::cross_entropy_loss(take.conv2d(t, 1, 0), inputs[1].tensor);
  };
  return {m.finish("unet", y, cross_entropy(y, label)), eager, 32};
}

auto resnet() -> pair {
  maker m(dtype::float32);
  const auto norm = [&](const dynamic& x,
                        index_t channels) -> dynamic {  // without running statistics, like eager's
    const dynamic w = m.parameter("weight", {channels}, {initial::constant, 1});
    const dynamic b = m.parameter("bias", {channels}, {initial::constant, 0});
    return batch_norm(x, w, b);
  };
  const dynamic x = m.normal("x", {3, 32, 32}), label = m.classes("label", 0, 9);
  dynamic h = relu(norm(m.conv2d(x, 3, 32, 3, {.padding = 1}), 32));
  index_t channels = 32;
  for (const index_t out : {32, 32, 64, 64}) {
    const bool down = out != channels;
    const dynamic first = relu(norm(m.conv2d(h, channels, out, 3, {.stride = down ? 2 : 1, .padding = 1}), out));
    const dynamic second = norm(m.conv2d(first, out, out, 3, {.padding = 1}), out);
    h = relu(second + (down ? norm(m.conv2d(h, channels, out, 1, {.stride = 2}), out) : h));
    channels = out;
  }
  const dynamic y = m.linear(mean(h, list_of(2, 3)), 64, 10);
  const auto eager = [](taker& take, const bound_tensors& inputs) {
    at::Tensor v = take.batch_norm(take.conv2d(inputs[0].tensor, 1, 1)).relu();
    for (int i = 0; i < 4; ++i) {
      const bool down = i == 2;
      const at::Tensor first = take.batch_norm(take.conv2d(v, down ? 2 : 1, 1)).relu();
      const at::Tensor second = take.batch_norm(take.conv2d(first, 1, 1));
      v = (second + (down ? take.batch_norm(take.conv2d(v, 2, 0)) : v)).relu();
    }
    return at::cross_entropy_loss(take.linear(v.mean({2, 3})), inputs[1].tensor);
  };
  return {m.finish("resnet", y, cross_entropy(y, label)), eager, 64, true};
}

auto lstm() -> pair {
  constexpr index_t rows = 28, width = 28, hidden = 128;
  maker m(dtype::float32);
  const dynamic x = m.normal("x", {rows, width}), label = m.classes("label", 0, 9);
  const dynamic all = m.lstm(transpose(x, 0, 1), width, hidden);  // (rows, batch, hidden)
  const dynamic y = m.linear(select(all, 0, -1), hidden, 10);
  const auto eager = [](taker& take, const bound_tensors& inputs) {
    const at::Tensor read = take.lstm(inputs[0].tensor.transpose(0, 1));
    return at::cross_entropy_loss(take.linear(read.select(0, -1)), inputs[1].tensor);
  };
  return {m.finish("lstm", y, cross_entropy(y, label)), eager, 256};
}

}  // namespace models::pairs
