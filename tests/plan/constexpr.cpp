// SPDX-License-Identifier: MIT
// The planner runs in constant expressions: the compiler can compute a model's peak.
#include "pch.hpp"

using namespace koila;

namespace {

struct mlp {
  parameter<512, 784> w1{"w1"};
  parameter<512> b1{"b1"};
  parameter<10, 512> w2{"w2"};
  parameter<10> b2{"b2"};
  constexpr auto operator()(const auto& x) const { return linear(relu(linear(x, w1, b1)), w2, b2); }
};
constexpr auto loss_of_mlp() {
  mlp net;
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  return cross_entropy(net(x), label);
}
constexpr index_t gradients = 4 * (512 * 784 + 512 + 10 * 512 + 10);
static_assert(peak_bytes(loss_of_mlp, batch = 64) <= 24_MiB);
// relu's gradient needs two activations at the same time.
static_assert(peak_bytes(loss_of_mlp, batch = 64) >= gradients + 2 * 64 * 512 * 4);
static_assert(peak_bytes(loss_of_mlp, batch = 4096) > 32 * peak_bytes(loss_of_mlp, batch = 1) / 8);

// Tied parameters have one gradient.
template <bool Tied>
constexpr auto autoencoder() {
  parameter<100, 200> w{"w"}, v{"v"};
  input<batch, 200> x{"x"};
  auto code = let(relu(linear(x, w)));                                                   // (batch, 100)
  auto back = matmul(code, Tied ? w : v);                                                // (batch, 200)
  return mse_loss(back, x);
}
constexpr index_t weight = 4 * 100 * 200;
static_assert(peak_bytes(autoencoder<false>, batch = 8) >= 2 * weight);  // two gradients
static_assert(peak_bytes(autoencoder<true>, batch = 8) >= weight);
static_assert(peak_bytes(autoencoder<true>, batch = 8) <= 3 * weight + 16_KiB);  // one gradient, the sum of two

// Twelve blocks, each converted to an `erased` expression.
constexpr auto residual() {
  parameter<32, 32> w{"w"};
  input<batch, 32> x{"x"};
  erased<batch, 32> h = x;
  for (int i = 0; i < 12; ++i) h = h + relu(linear(h, w));
  return mean(h * h);
}
constexpr index_t peak_of_residual = peak_bytes(residual, batch = 128);
static_assert(peak_of_residual > 12 * 128 * 32 * 4 && peak_of_residual < 40 * 128 * 32 * 4);

// A value without a gradient needs only the value's memory.
static_assert(peak_bytes([] { return relu(input<batch, 16>{} * 2.0); }, batch = 10) == 10 * 16 * 4 + 64);

// A user's own axis.
inline constexpr struct seq : axis<seq> {
  using axis::operator=;
} seq;
static_assert(peak_bytes([] { return relu(input<batch, seq, 16>{}); }, batch = 2, seq = 5) == 2 * 5 * 16 * 4);

}  // namespace

TEST_CASE("the compiler's plan is the plan of the run") {
  const auto loss = loss_of_mlp();
  mlp net;
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  const at::Tensor images = at::zeros({64, 784}), labels = at::zeros({64}, at::kLong);  // (64, 784), (64)
  const memory_plan p = plan(cross_entropy(net(x), label), {.chunk = 64}, x = images, label = labels);
  CHECK(p.peak_bytes() == peak_bytes(loss_of_mlp, batch = 64));
}
