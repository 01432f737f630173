// Attention of 8 heads of 64, forward, and forward with backward: koila, and eager LibTorch. Arguments: queries, and as many keys.
#include <string>

#include "models.hpp"

namespace {

using namespace koila;

constexpr std::int64_t heads = 8, width = 64;

struct operands {
  at::Tensor q, k, v;
  explicit operands(std::int64_t n) : q(at::randn({heads, n, width})), k(at::randn_like(q)), v(at::randn_like(q)) {}
};

void koila_forward(benchmark::State& state, bool causal) {
  const operands o(state.range(0));
  const auto y = scaled_dot_product_attention(lazy(o.q), lazy(o.k), lazy(o.v), is_causal = causal);
  bench::run_kept(state, lower_expression(y, {}, false), true);
}

void eager_forward(benchmark::State& state, bool causal) {
  const operands o(state.range(0));
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state)
    benchmark::DoNotOptimize(
        at::scaled_dot_product_attention(o.q.unsqueeze(0), o.k.unsqueeze(0), o.v.unsqueeze(0), {}, 0, causal));
}

/// The sum, and the gradients of q, k and v.
template <index_t N>
void koila_backward(benchmark::State& state, bool causal) {
  const parameter<heads, N, width> q{"q"}, k{"k"}, v{"v"};
  for (const auto& p : {q, k, v}) set(p, at::randn({heads, N, width}));
  bench::run_kept(state, lower_expression(sum(scaled_dot_product_attention(q, k, v, is_causal = causal)), {}, true), false);
}

void eager_backward(benchmark::State& state, bool causal) {
  operands o(state.range(0));
  for (auto* t : {&o.q, &o.k, &o.v}) *t = t->unsqueeze(0).requires_grad_();
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) {
    at::scaled_dot_product_attention(o.q, o.k, o.v, {}, 0, causal).sum().backward();
    for (auto* t : {&o.q, &o.k, &o.v}) t->mutable_grad().reset();
  }
}

constexpr std::int64_t sizes[] = {128, 512, 1024, 4096};

void add(const std::string& name, std::int64_t n, void (*f)(benchmark::State&, bool), bool causal) {
  benchmark::RegisterBenchmark(name.c_str(), f, causal)->Arg(n)->Unit(benchmark::kMillisecond)->UseRealTime();
}

const int registered = [] {
  for (const bool causal : {false, true}) {
    const std::string name = causal ? "attention_causal" : "attention";
    for (const std::int64_t n : sizes) {
      add(name + "/koila", n, koila_forward, causal);
      add(name + "/eager", n, eager_forward, causal);
    }
    add(name + "_backward/koila", sizes[0], koila_backward<sizes[0]>, causal);
    add(name + "_backward/koila", sizes[1], koila_backward<sizes[1]>, causal);
    add(name + "_backward/koila", sizes[2], koila_backward<sizes[2]>, causal);
    add(name + "_backward/koila", sizes[3], koila_backward<sizes[3]>, causal);
    for (const std::int64_t n : sizes) add(name + "_backward/eager", n, eager_backward, causal);
  }
  return 0;
}();

}  // namespace
