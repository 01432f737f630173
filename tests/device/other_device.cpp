// SPDX-License-Identifier: MIT
// Training on a device other than the host, compared with training on the host. The device's
// operators compute on the host, through copies.
#include "other_device.hpp"

#include <koila/device/planned.hpp>
#include <koila/kernels/table.hpp>
#include <koila/nn/nn.hpp>
#include <koila/nn/serialize.hpp>

#include <filesystem>

#include <unistd.h>

namespace test {

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&other_device::on_host>());
}
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", &other_device::empty);
  m.impl("empty_strided", &other_device::empty_strided);
  m.impl("_copy_from", &other_device::copy_from);
  m.impl("_copy_from_and_resize", &other_device::copy_from_and_resize);
  m.impl("view", &other_device::view);
  m.impl("as_strided", &other_device::as_strided);
  m.impl("convolution_overrideable", &other_device::convolution);
  m.impl("convolution_backward_overrideable", &other_device::convolution_backward);
}

namespace {

using namespace koila;

C10_REGISTER_GUARD_IMPL(PrivateUse1, c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::PrivateUse1>)

constexpr device::backend on_other{[](int) { return static_cast<index_t>(1_GiB); },
                                   [] { return device::caching_rules{}; }};
[[maybe_unused]] const bool registered = [] {
  c10::SetAllocator(c10::DeviceType::PrivateUse1, &shut_memory::instance());
  device::use(c10::DeviceType::PrivateUse1, &on_other);
  at::set_num_threads(1);
  return true;
}();

/// Two kernels of the device, which count their calls. All other ops use LibTorch's operators.
struct gelu_there {
  static inline int calls = 0;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const koila::gelu::attributes& a) {
    ++calls;
    const opened to(y), from(x);
    at::Tensor out = to.tensor();
    at::gelu_out(out, from.tensor(), a.by_tanh() ? "tanh" : "none");
  }
};
struct linear_there {
  static inline int calls = 0;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w) { write(y, x, w, {}); }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
    const opened bias(b);
    write(y, x, w, bias.tensor());
  }

 private:
  static void write(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const std::optional<at::Tensor>& b) {
    ++calls;
    const opened to(y), from(x), weight(w);
    to.tensor().copy_(at::linear(from.tensor(), weight.tensor(), b));
  }
};
const kernels::registration<struct koila::gelu, gelu_there, c10::DeviceType::PrivateUse1> gelu_registered;
const kernels::registration<struct koila::linear, linear_there, c10::DeviceType::PrivateUse1> linear_registered;

/// A model with many of the usual layers.
struct model {
  nn::conv2d<2, 4, 3, nn::conv_options{.padding = 1}> c{"c"};
  nn::batch_norm<4> bn{"bn"};
  nn::embedding<5, 8> words{"words"};
  nn::linear<4 * 16 + 8, 16> a{"a"};
  nn::layer_norm<16> ln{"ln"};
  nn::linear<16, 5> b{"b"};
  auto operator()(const auto& x, const auto& word) const {
    const auto h = pad(max_pool2d(relu(bn(c(x))), 2_c), list_of(1_c, 1_c, 1_c, 1_c), kReflect);
    return b(dropout(gelu(ln(a(cat(flatten(avg_pool2d(h, 3_c, 1_c), 1_c), words(word), 1_c)))), 0.25));
  }
};

struct fixture {
  input<batch, 2, 8, 8> x{"x"};
  input<int64, batch> word{"word"}, label{"label"};
  at::Tensor images, words, labels;
  model net;

  fixture() {
    at::manual_seed(1);
    images = at::randn({11, 2, 8, 8}), words = at::randint(5, {11}, at::kLong),
    labels = at::randint(5, {11}, at::kLong);
    labels[3] = -100;
    for (const auto& p : named_parameters(net)) (void)p.tensor();
  }
  auto loss(const model& m) const { return cross_entropy(m(x, word), label); }
  /// Returns the loss, all gradients and the running statistics.
  auto gradients(at::Device where, index_t chunk) const -> std::vector<at::Tensor> {
    const model own = clone(net);
    to(own, where);
    manual_seed(3);
    options o{.memory = 1_GiB};
    if (chunk > 0) o.chunk = chunk;
    std::vector<at::Tensor> out{
        backward(loss(own), o, x = images.to(where), word = words.to(where), label = labels.to(where))};
    for (const auto& p : named_parameters(own)) out.push_back(p.tensor().grad());
    for (const auto& b : named_buffers(own)) out.push_back(b.tensor());
    for (at::Tensor& t : out) {
      CHECK(t.device() == where);
      t = t.detach().cpu();
    }
    return out;
  }
};

/// Returns the largest difference of a and b, divided by the largest magnitude of b (at least
/// 0.01).
auto relative_error(const at::Tensor& a, const at::Tensor& b) -> double {
  REQUIRE(a.sizes() == b.sizes());
  return (a - b).abs().max().item<double>() / std::max(1e-2, b.abs().max().item<double>());
}

}  // namespace

TEST_CASE("another device: values, gradients and running statistics are the host's, whole and in chunks") {
  const fixture f;
  const std::vector<at::Tensor> want = f.gradients(at::kCPU, 0);
  for (const index_t chunk : {0, 4, 1}) {
    const std::vector<at::Tensor> got = f.gradients(other, chunk);
    REQUIRE(got.size() == want.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
      INFO("chunk " << chunk << ", number " << k);
      CHECK(relative_error(got[k], want[k]) <= 1e-5);
    }
  }
}

TEST_CASE("another device: its kernels are called there, planned and at once, and never for tensors of the host") {
  const fixture f;
  const at::Tensor x = at::randn({3, 5});
  gelu_there::calls = linear_there::calls = 0;
  (void)f.gradients(at::kCPU, 4);
  const at::Tensor want = koila::gelu(x);
  CHECK(gelu_there::calls == 0);
  CHECK(linear_there::calls == 0);
  (void)f.gradients(other, 4);  // chunks of 4, 4 and 3 samples
  CHECK(gelu_there::calls == 3);
  CHECK(linear_there::calls == 6);
  CHECK(at::allclose(koila::gelu(x.to(other)).cpu(), want));
  CHECK(gelu_there::calls == 4);
}

TEST_CASE("another device: steps of each optimiser are the host's") {
  const fixture f;
  const auto train_with = [&](const auto& optimizer) {
    std::vector<std::vector<at::Tensor>> weights;
    for (const at::Device where : {at::Device(at::kCPU), other}) {
      const model net = clone(f.net);
      to(net, where);
      manual_seed(5);
      auto train = step(f.loss(net), optimizer, {.memory = 1_GiB, .chunk = 4});
      for (int i = 0; i < 3; ++i)
        train(f.x = f.images.to(where), f.word = f.words.to(where), f.label = f.labels.to(where));
      weights.emplace_back();
      for (const at::Tensor& t : parameters(net)) weights.back().push_back(t.detach().cpu());
    }
    for (std::size_t k = 0; k < weights[0].size(); ++k) CHECK(relative_error(weights[1][k], weights[0][k]) <= 1e-4);
  };
  train_with(sgd{.lr = 0.1, .momentum = 0.9, .weight_decay = 1e-3, .nesterov = true});
  train_with(adam{.eps = 1e-3, .weight_decay = 1e-3, .amsgrad = true});
  train_with(adamw{.eps = 1e-3});
  train_with(rmsprop{.lr = 1e-3, .eps = 1e-3, .weight_decay = 1e-3, .momentum = 0.9, .centered = true});
  train_with(adagrad{.weight_decay = 1e-3, .eps = 1e-3});
  train_with(clip_grad_norm(sgd{.lr = 0.1}, 0.1));
  train_with(clip_grad_value(sgd{.lr = 0.1}, 0.01));
}

TEST_CASE("another device: the arena and what leaves are allocated there, nothing else stays") {
  const fixture f;
  const parameter<16, 128> w{"w"};
  set(w, at::randn({16, 128}).to(other));
  const input<batch, 128> x{"x"};
  const auto loss = mean(square(tanh(linear(x, w))));
  const at::Tensor images = at::randn({64, 128}).to(other);
  for (const index_t chunk : {64, 16, 1}) {
    const options o{.memory = 1_GiB, .chunk = chunk};
    const auto p = plan(loss, o, x = images);
    tensor_of(w).mutable_grad().reset();
    const index_t before = shut_memory::instance().live();
    shut_memory::instance().reset_peak();
    (void)backward(loss, o, x = images);
    INFO("chunk " << chunk);
    index_t tensors = 0;
    for (const index_t n : device::tensors_of(p)) tensors += n;
    CHECK(tensors == p.arena_bytes + p.output_bytes);
    CHECK(shut_memory::instance().live() - before == static_cast<index_t>(tensor_of(w).grad().nbytes()));
    CHECK(shut_memory::instance().peak() - before >= p.arena_bytes + p.output_bytes);
  }
}

TEST_CASE("another device: random numbers are the host's") {
  const at::Tensor t = at::full({100}, 0.5);
  const auto drawn = [&](at::Device where) {
    manual_seed(9);
    const at::Tensor here = t.to(where);
    return std::array{dropout(here, 0.5).cpu(), bernoulli(here).cpu(), randn_like(here).cpu(), rand_like(here).cpu()};
  };
  const auto want = drawn(at::kCPU), got = drawn(other);
  for (std::size_t k = 0; k < want.size(); ++k) CHECK(at::equal(got[k], want[k]));
}

TEST_CASE("another device: a model is saved from there and loaded to there") {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("koila_other_device_" + std::to_string(::getpid()))).string();
  const nn::linear<4, 3> here, there;
  to(there, other);
  save(there, file);
  load(here, file);
  CHECK(at::equal(tensor_of(here.weight), tensor_of(there.weight).cpu()));
  tensor_of(here.weight).detach().fill_(2);
  save(here, file);
  load(there, file);
  std::filesystem::remove(file);
  CHECK(tensor_of(there.weight).device() == other);
  CHECK(at::equal(tensor_of(here.weight), tensor_of(there.weight).cpu()));
}

}  // namespace test
