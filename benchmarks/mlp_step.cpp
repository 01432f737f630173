// A training step of 784-512-512-10, forward, backward and SGD: koila, eager LibTorch's whole batch, and the bare GEMMs.
// Arguments: samples. Memory is reused in all of them; `peak` is bytes above inputs and parameters.
#include <string>

#include "models.hpp"

namespace {

using namespace koila;

struct data {
  at::Tensor images, labels;
  explicit data(std::int64_t n) : images(at::rand({n, 784})), labels(at::randint(10, {n}, at::kLong)) {}
};

void koila_step(benchmark::State& state, const options& o) {
  const data d(state.range(0));
  const bench::mlp net;
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  const auto parameters = net.tensors();  // made before memory is counted
  auto train = step(cross_entropy(net(x), label), sgd{.lr = 0.01}, o);
  const auto once = [&] { benchmark::DoNotOptimize(train(x = d.images, label = d.labels)); };
  const auto peak = bench::peak_of(once);
  for (auto _ : state) once();
  state.counters["peak"] = static_cast<double>(peak);
  state.counters["chunk"] = static_cast<double>(train.plan().chunk());
}

auto eager_once(const data& d, std::vector<at::Tensor>& w) -> at::Tensor {
  at::Tensor h = at::relu(at::linear(d.images, w[0], w[1]));  // (batch, 512)
  h = at::relu(at::linear(h, w[2], w[3]));                    // (batch, 512)
  at::Tensor loss = at::cross_entropy_loss(at::linear(h, w[4], w[5]), d.labels);
  h.reset();
  loss.backward();
  const at::NoGradGuard no_grad;
  for (auto& p : w) {
    p.add_(p.grad(), -0.01);
    p.mutable_grad().reset();
  }
  return loss;
}

void eager_step(benchmark::State& state) {
  const data d(state.range(0));
  const bench::mlp net;
  auto w = net.tensors();
  const auto once = [&] { benchmark::DoNotOptimize(eager_once(d, w)); };
  const auto peak = bench::peak_of(once);
  for (auto _ : state) once();
  state.counters["peak"] = static_cast<double>(peak);
}

/// The eight products of the step, into tensors that are there; in chunks the gradients' products are added up.
void floor_step(benchmark::State& state, std::int64_t chunk) {
  const data d(state.range(0));
  const bench::mlp net;
  const at::NoGradGuard no_grad;
  auto w = net.tensors();
  const std::int64_t n = std::min(chunk, state.range(0));
  at::Tensor h1 = at::rand({n, 512}), h2 = at::rand({n, 512}), y = at::rand({n, 10});         // (chunk, features)
  at::Tensor g1 = at::rand({n, 512}), g2 = at::rand({n, 512});                                // (chunk, features)
  at::Tensor d1 = at::rand({512, 784}), d2 = at::rand({512, 512}), d3 = at::rand({10, 512});  // (out, in)
  for (auto _ : state) {
    for (std::int64_t i = 0; i < state.range(0); i += n) {
      const at::Tensor x = d.images.slice(0, i, i + n);  // (chunk, 784)
      const double beta = i == 0 ? 0 : 1;
      at::mm_out(h1, x, w[0].t());
      at::mm_out(h2, h1, w[2].t());
      at::mm_out(y, h2, w[4].t());
      at::mm_out(g2, y, w[4]);
      at::addmm_out(d3, d3, y.t(), h2, beta);
      at::mm_out(g1, g2, w[2]);
      at::addmm_out(d2, d2, g2.t(), h1, beta);
      at::addmm_out(d1, d1, g1.t(), x, beta);
      benchmark::ClobberMemory();
    }
  }
}
void floor_whole(benchmark::State& state) { floor_step(state, state.range(0)); }

constexpr int sizes[] = {64, 512, 4096};

void register_all() {
  using benchmark::RegisterBenchmark;
  const auto at_sizes = [](benchmark::internal::Benchmark* b) {
    for (const int n : sizes) b->Arg(n);
    b->Unit(benchmark::kMillisecond)->UseRealTime();
  };
  at_sizes(RegisterBenchmark("mlp_step/koila", [](benchmark::State& s) { koila_step(s, {}); }));
  at_sizes(RegisterBenchmark("mlp_step/eager", eager_step));
  at_sizes(RegisterBenchmark("mlp_step/floor", floor_whole));
  // What eager LibTorch takes, divided by eight.
  RegisterBenchmark("mlp_step_in_an_eighth/koila",
                    [](benchmark::State& s) {
                      const data d(s.range(0));
                      const bench::mlp net;
                      auto w = net.tensors();
                      const auto eager = bench::peak_of([&] { benchmark::DoNotOptimize(eager_once(d, w)); });
                      koila_step(s, {.memory = eager / 8});
                      s.counters["allowed"] = static_cast<double>(eager / 8);
                    })
      ->Arg(4096)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  RegisterBenchmark("mlp_step_in_an_eighth/eager", eager_step)->Arg(4096)->Unit(benchmark::kMillisecond)->UseRealTime();
  RegisterBenchmark("mlp_step_in_an_eighth/floor", floor_whole)->Arg(4096)->Unit(benchmark::kMillisecond)->UseRealTime();
  // Each chunk on its own: what the choice is among, and what its products take.
  for (const int chunk : {64, 128, 256, 512, 1024, 2048, 4096}) {
    const std::string name = "mlp_chunk_" + std::to_string(chunk);
    const auto at_4096 = [](benchmark::internal::Benchmark* b) { b->Arg(4096)->Unit(benchmark::kMillisecond)->UseRealTime(); };
    at_4096(RegisterBenchmark((name + "/koila").c_str(), [chunk](benchmark::State& s) { koila_step(s, {.chunk = chunk}); }));
    at_4096(RegisterBenchmark((name + "/floor").c_str(), [chunk](benchmark::State& s) { floor_step(s, chunk); }));
  }
}

const int registered = (register_all(), 0);

}  // namespace
