// SPDX-License-Identifier: MIT
// Random numbers: dropout forward, dropout with backward, and standard normal numbers. Compares
// koila with eager LibTorch. Argument: the number of elements.
#include "models.hpp"

namespace {

using namespace koila;
using namespace koila::detail;

auto values(const benchmark::State& state) -> at::Tensor { return at::randn({state.range(0) / 256, 256}); }

void koila_dropout(benchmark::State& state) {
  bench::run_kept(state, lower_expression(dropout(lazy(values(state)), 0.1), {}, false), true);
}
void eager_dropout(benchmark::State& state) {
  const at::Tensor x = values(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) benchmark::DoNotOptimize(at::dropout(x, 0.1, true).const_data_ptr());
}
void koila_dropout_backward(benchmark::State& state) {
  const auto x = bench::parameter_of(values(state));
  bench::run_kept(state, lower_expression(sum(dropout(x, 0.1) * lazy(values(state))), {}, true), true);
}
void eager_dropout_backward(benchmark::State& state) {
  const at::Tensor x = values(state).requires_grad_(), g = values(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) {
    (at::dropout(x, 0.1, true) * g).sum().backward();
    x.mutable_grad().reset();
  }
}
void koila_randn(benchmark::State& state) {
  bench::run_kept(state, lower_expression(randn_like(lazy(values(state))), {}, false), true);
}
void eager_randn(benchmark::State& state) {
  const at::Tensor x = values(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) benchmark::DoNotOptimize(at::randn_like(x).const_data_ptr());
}

const int random_registered = [] {
  const auto add = [](const char* name, void (*f)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, f)->Arg(65536)->Arg(1 << 20)->Unit(benchmark::kMicrosecond)->UseRealTime();
  };
  add("dropout/koila", koila_dropout), add("dropout/eager", eager_dropout);
  add("dropout_backward/koila", koila_dropout_backward), add("dropout_backward/eager", eager_dropout_backward);
  add("randn/koila", koila_randn), add("randn/eager", eager_randn);
  return 0;
}();

}  // namespace
