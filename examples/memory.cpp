// SPDX-License-Identifier: MIT
// The memory of a training step: explained, drawn, traced and measured.
#include <koila/koila.hpp>
#include <koila/nn/nn.hpp>
#include <koila/tools/record_memory.hpp>

#include <cstdio>
#include <iostream>

#include "data/digits.hpp"

using namespace koila;

namespace {

struct network {
  nn::conv2d<1, 8, 3, nn::conv_options{.padding = 1, .bias = false}> conv1{"conv1"};
  nn::batch_norm<8> bn1{"bn1"};
  nn::conv2d<8, 16, 3, nn::conv_options{.stride = 2, .padding = 1, .bias = false}> conv2{"conv2"};
  nn::batch_norm<16> bn2{"bn2"};
  nn::linear<16 * 7 * 7, 10> head{"head"};

  auto operator()(const auto& pixels) const {
    const auto image = reshape(pixels, batch, 1_c, 28_c, 28_c);
    const auto small = max_pool2d(relu(bn2(conv2(relu(bn1(conv1(image)))))), 2_c);  // (batch, 16, 7, 7)
    return head(flatten(small, 1_c));
  }
};

}  // namespace

int main(int, char** argv) {
  const auto [digits, test] = load_digits(argv[1]);
  const at::Tensor images = digits.images.narrow(0, 0, 500), labels = digits.labels.narrow(0, 0, 500);

  const network net;
  for (const auto& p : named_parameters(net)) (void)p.tensor();  // created now, so that only the step is recorded
  for (const auto& b : named_buffers(net)) (void)b.tensor();
  const input<batch, 784> x{"x"};
  const input<int64, batch> label{"label"};
  auto train = step(cross_entropy(net(x), label), sgd{.lr = 0.1}, {.memory = 32_MiB});
  const memory_record seen = record_memory([&] { train(x = images, label = labels); });

  const memory_plan& plan = train.plan();
  plan.explain(std::cout);
  plan.timeline("memory.svg", seen);  // for a browser
  plan.trace("memory.json", seen);    // for ui.perfetto.dev
  std::printf("\npredicted %lld bytes, measured %lld: see memory.svg and memory.json\n",
              static_cast<long long>(plan.peak_bytes()), static_cast<long long>(seen.peak_bytes));
  return seen.peak_bytes == plan.peak_bytes() ? 0 : 1;
}
