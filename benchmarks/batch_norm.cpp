// SPDX-License-Identifier: MIT
// Batch norm in training, in chunks and with the whole batch. The chunks read either an input of
// the model or a value that an earlier loop has computed and kept in memory.
#include <ATen/Parallel.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>

#include "models.hpp"

namespace {

using namespace koila;

constexpr index_t samples = 64, channels = 32, side = 32;

struct tensors {
  at::Tensor x = at::randn({samples, channels, side, side}), w = at::randn({channels, channels, 3, 3}) * 0.1,
             scale = at::rand({channels}), shift = at::rand({channels});
};

/// Computes relu(batch_norm(x)). If `convolved`, x is the result of a convolution.
void eager_forward(benchmark::State& state, bool convolved) {
  at::set_num_threads(1);
  const c10::InferenceMode without_gradients;
  const tensors t;
  for (auto _ : state) {
    const at::Tensor x = convolved ? at::conv2d(t.x, t.w, {}, 1, 1) : t.x;
    benchmark::DoNotOptimize(at::batch_norm(x, t.scale, t.shift, {}, {}, true, 0.1, 1e-5, false).relu_());
  }
  state.SetLabel(bench::eagers_memory());
}

void koila_forward(benchmark::State& state, bool convolved) {
  at::set_num_threads(1);
  const tensors t;
  const input<batch, channels, side, side> x{"x"};
  const auto run_it = [&](const auto& y) {
    const options o{.memory = 1_GiB, .chunk = state.range(0)};
    for (auto _ : state) benchmark::DoNotOptimize(run(y, o, x = t.x));
    state.counters["loops"] = plan(y, o, x = t.x).order.loops;
    // `run` allocates its memory at each call and frees it afterwards.
    state.SetLabel("memory fresh where large");
  };
  if (convolved) run_it(relu(batch_norm(conv2d(x, t.w, padding = 1_c), t.scale, t.shift)));
  else run_it(relu(batch_norm(x, t.scale, t.shift)));
}

void chunks(benchmark::internal::Benchmark* made) {
  for (const index_t c : {4, 16, 64}) made->Arg(c);
  made->Unit(benchmark::kMillisecond);
}

}  // namespace

BENCHMARK_CAPTURE(eager_forward, input, false)->Name("batch_norm/eager")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(koila_forward, input, false)->Name("batch_norm/koila/chunk")->Apply(chunks);
BENCHMARK_CAPTURE(eager_forward, held, true)->Name("conv_batch_norm/eager")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(koila_forward, held, true)->Name("conv_batch_norm/koila/chunk")->Apply(chunks);
