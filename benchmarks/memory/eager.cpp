#include "memory/eager.hpp"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstdio>

#include "memory/passes.hpp"
#include "models/maker.hpp"
#include "models/taker.hpp"

namespace memory {

namespace {

using models::dynamic, models::maker, models::taker;

constexpr double lr = 1e-3;

/// A model and the same in LibTorch: the loss of parameters, in the order in which the model made them, and inputs.
struct pair {
  models::model koila;
  std::function<at::Tensor(taker&, const bound_tensors&)> eager;
  index_t batch;
};

auto gpt() -> pair {
  constexpr index_t width = 192, heads = 4, context = 128, characters = 256;
  maker m(dtype::float32);
  const dynamic text = m.classes("text", 0, characters - 1, {context}), next = m.classes("next", 0, characters - 1, {context});
  const dynamic words = m.embedding(text, characters, width);
  dynamic h = words + dynamic(m.parameter("position", {context, width}, {initial::normal, 0.02}));
  for (int i = 0; i < 4; ++i) h = m.transformer_layer(h, width, heads, true);
  const dynamic y = m.linear(m.layer_norm(h, width), width, characters);
  const dynamic loss = cross_entropy(reshape(y, -1, characters), reshape(next, -1));
  const auto eager = [=](taker& take, const bound_tensors& in) {
    at::Tensor v = at::embedding(take(), in[0].tensor);
    v = v + take();
    for (int i = 0; i < 4; ++i) v = take.transformer_layer(v, heads, true);
    v = take.linear(take.layer_norm(v));
    return at::cross_entropy_loss(v.reshape({-1, characters}), in[1].tensor.flatten());
  };
  return {m.finish("gpt", y, loss), eager, 32};
}

auto unet() -> pair {
  maker m(dtype::float32);
  const auto twice = [&](const dynamic& x, index_t in, index_t out) -> dynamic {
    const dynamic h = relu(m.conv2d(x, in, out, 3, {.padding = 1}));
    return relu(m.conv2d(h, out, out, 3, {.padding = 1}));
  };
  const dynamic x = m.normal("x", {1, 64, 64}), label = m.classes("label", 0, 3, {64, 64});
  const dynamic a = twice(x, 1, 24), b = twice(max_pool2d(a, 2), 24, 48), c = twice(max_pool2d(b, 2), 48, 96);
  const dynamic d = twice(cat(m.conv_transpose2d(c, 96, 48, 2, 2), b, dim = 1), 96, 48);
  const dynamic e = twice(cat(m.conv_transpose2d(d, 48, 24, 2, 2), a, dim = 1), 48, 24);
  const dynamic y = m.conv2d(e, 24, 4, 1);
  const auto eager = [](taker& take, const bound_tensors& in) {
    const auto two = [&](const at::Tensor& v) {
      const at::Tensor h = take.conv2d(v, 1, 1).relu();
      return take.conv2d(h, 1, 1).relu();
    };
    const at::Tensor p = two(in[0].tensor), q = two(at::max_pool2d(p, 2)), r = two(at::max_pool2d(q, 2));
    const at::Tensor s = two(at::cat({take.conv_transpose2d(r, 2), q}, 1));
    const at::Tensor t = two(at::cat({take.conv_transpose2d(s, 2), p}, 1));
    return at::cross_entropy_loss(take.conv2d(t, 1, 0), in[1].tensor);
  };
  return {m.finish("unet", y, cross_entropy(y, label)), eager, 32};
}

auto resnet() -> pair {
  maker m(dtype::float32);
  const auto norm = [&](const dynamic& x, index_t channels) -> dynamic {  // without running statistics, which eager's has not
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
  const dynamic y = m.linear(mean(h, list(2, 3)), 64, 10);
  const auto eager = [](taker& take, const bound_tensors& in) {
    at::Tensor v = take.batch_norm(take.conv2d(in[0].tensor, 1, 1)).relu();
    for (int i = 0; i < 4; ++i) {
      const bool down = i == 2;
      const at::Tensor first = take.batch_norm(take.conv2d(v, down ? 2 : 1, 1)).relu();
      const at::Tensor second = take.batch_norm(take.conv2d(first, 1, 1));
      v = (second + (down ? take.batch_norm(take.conv2d(v, 2, 0)) : v)).relu();
    }
    return at::cross_entropy_loss(take.linear(v.mean({2, 3})), in[1].tensor);
  };
  return {m.finish("resnet", y, cross_entropy(y, label)), eager, 64};
}

/// Peak bytes and the median of the seconds.
struct cost {
  index_t peak = 0;
  double seconds = 0;
};
auto median(std::vector<double> all) -> double {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

/// A step of LibTorch's: forward, backward, SGD.
auto eager_step(const pair& p, const bound_tensors& in, std::vector<at::Tensor>& parameters) -> double {
  const double start = seconds_of_thread();
  taker take(parameters);
  p.eager(take, in).backward();
  const c10::AutoGradMode without(false);
  for (at::Tensor& w : parameters) {
    w.add_(w.grad(), -lr);
    w.mutable_grad() = at::Tensor();
  }
  return seconds_of_thread() - start;
}

void compare(const pair& p) {
  const bound_tensors in = p.koila.bind(p.batch, 1);
  const binding<at::Tensor> x{p.koila.inputs[0].leaf, in[0].tensor}, label{p.koila.inputs[1].leaf, in[1].tensor};
  std::vector<at::Tensor> copies;
  for (const auto& leaf : p.koila.parameters) copies.push_back(tensor_of(*leaf).detach().clone().requires_grad_());
  cost eager;
  {
    const bench::measure m;
    (void)eager_step(p, in, copies);
    eager.peak = m.peak();
  }
  constexpr int times = 5;
  for (const double part : {1.0, 0.5, 0.25, 0.125}) {
    const auto budget = static_cast<index_t>(part * static_cast<double>(eager.peak));
    try {
      auto train = step(p.koila.loss, sgd{.lr = lr}, {.memory = budget});
      const bench::measure m;
      (void)train(x, label);
      std::vector<double> own, eagers;
      for (int i = 0; i < times; ++i) {  // side by side: the machine does other things
        eagers.push_back(eager_step(p, in, copies));
        const double start = seconds_of_thread();
        (void)train(x, label);
        own.push_back(seconds_of_thread() - start);
      }
      std::printf(
          "%-7s batch %3lld: eager %6.1f MB %6.3f s; koila with %5.3f of that allowed %6.1f MB %6.3f s, %.2f x the time, chunk %lld, %d loops\n",
          p.koila.name.c_str(), static_cast<long long>(p.batch), static_cast<double>(eager.peak) / 1e6, median(eagers), part,
          static_cast<double>(train.plan().peak_bytes()) / 1e6, median(own), median(own) / median(eagers),
          static_cast<long long>(train.plan().chunk()), train.plan().order.loops);
    } catch (const memory_error& e) {
      std::printf("%-7s batch %3lld: eager %6.1f MB; koila with %5.3f of that: %s\n", p.koila.name.c_str(),
                  static_cast<long long>(p.batch), static_cast<double>(eager.peak) / 1e6, part, e.what());
    }
    std::fflush(stdout);
  }
}

}  // namespace

void compare_with_eager(const std::string& filter) {
  for (const auto& make : {gpt, unet, resnet})
    if (const pair p = make(); p.koila.name.find(filter) != std::string::npos) compare(p);
}

}  // namespace memory
