// SPDX-License-Identifier: MIT
// Inference of a model 64-64-64-10, which is so small that overhead matters. Compares koila with
// eager LibTorch. Argument: the number of samples.
#include "models.hpp"

namespace {

using namespace koila;

struct small {
  parameter<64, 64> w1{"w1"};
  parameter<64> b1{"b1"};
  parameter<64, 64> w2{"w2"};
  parameter<64> b2{"b2"};
  parameter<10, 64> w3{"w3"};
  parameter<10> b3{"b3"};
  auto operator()(const auto& x) const { return linear(relu(linear(relu(linear(x, w1, b1)), w2, b2)), w3, b3); }
  auto tensors() const -> std::vector<at::Tensor> {
    return {tensor_of(w1), tensor_of(b1), tensor_of(w2), tensor_of(b2), tensor_of(w3), tensor_of(b3)};
  }
};

auto eager(const at::Tensor& x, const std::vector<at::Tensor>& w) -> at::Tensor {
  return at::linear(at::relu(at::linear(at::relu(at::linear(x, w[0], w[1])), w[2], w[3])), w[4], w[5]);
}

void run_koila(benchmark::State& state) {
  const small net;
  input<batch, 64> x{"x"};
  const auto y = net(x);
  const at::Tensor images = at::rand({state.range(0), 64});
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) benchmark::DoNotOptimize(run(y, x = images));
}
void run_eager(benchmark::State& state) {
  const small net;
  const auto w = net.tensors();
  const at::Tensor images = at::rand({state.range(0), 64});
  const at::NoGradGuard no_grad;
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) benchmark::DoNotOptimize(eager(images, w));
}

BENCHMARK(run_koila)->Name("small_model_run/koila")->Arg(1)->Arg(32)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(run_eager)->Name("small_model_run/eager")->Arg(1)->Arg(32)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
