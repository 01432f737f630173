// Products of matrices by each way that there is: koila's own choice, eager LibTorch's linear, and as the floor BLAS
// into a tensor that is there. Arguments: rows, columns, and the depth that is summed over; y = x w^T.
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>

#include "models.hpp"

namespace {

using namespace koila;

struct operands {
  at::Tensor x, w, y;
  explicit operands(const benchmark::State& s)
      : x(at::rand({s.range(0), s.range(2)})), w(at::rand({s.range(1), s.range(2)})), y(at::empty({s.range(0), s.range(1)})) {}
};
void note(benchmark::State& state, const char* memory) {
  state.counters["flops"] = benchmark::Counter(2. * static_cast<double>(state.range(0) * state.range(1) * state.range(2)),
                                               benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(memory);
}

void koilas(benchmark::State& state) {
  const operands all(state);
  const auto x = lazy(all.x), w = lazy(all.w);
  bench::run_kept(state, lower_expression(linear(x, w), {}, false), true);
  note(state, "memory reused");
}
void eager(benchmark::State& state) {
  const operands all(state);
  const at::NoGradGuard no_grad;
  for (auto _ : state) benchmark::DoNotOptimize(at::linear(all.x, all.w).const_data_ptr());
  note(state, bench::eagers_memory());
}
void blas(benchmark::State& state) {
  operands all(state);
  const at::NoGradGuard no_grad;
  for (auto _ : state) at::mm_out(all.y, all.x, all.w.t());
  note(state, "memory reused");
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{1, 64, 64},
                                {32, 64, 64},
                                {32, 10, 64},
                                {64, 512, 784},
                                {128, 128, 128},
                                {512, 512, 784},
                                {4096, 512, 512},
                                {1024, 1024, 256},
                                {256, 512, 128}})
    b->Args({m, n, k});
  b->Unit(benchmark::kMicrosecond)->UseRealTime();
}
BENCHMARK(koilas)->Name("product/koila")->Apply(sizes);
BENCHMARK(eager)->Name("product/eager")->Apply(sizes);
BENCHMARK(blas)->Name("product/floor")->Apply(sizes);

}  // namespace
