// Chains of element-wise ops, forward, and forward with backward: koila, eager LibTorch, and a memory copy of one operand's size.
// Arguments: elements. koila's memory is kept between runs, as a training step keeps it; eager's goes back to malloc each time.
#include <cstring>
#include <string>

#include "models.hpp"

namespace {

using namespace koila;

constexpr std::int64_t width = 256;

struct operands {
  at::Tensor x, b, c;
  explicit operands(std::int64_t n) : x(at::randn({n / width, width})), b(at::randn_like(x)), c(at::randn_like(x)) {}
};

/// A chain of tensors is LibTorch's, one of expressions koila's.
struct relu_tanh_chain {
  static constexpr const char* name = "relu_tanh";
  auto operator()(const at::Tensor& x, const at::Tensor& b, const at::Tensor& c) const -> at::Tensor {
    return at::relu(x * b + c) * at::tanh(c);
  }
  auto operator()(const auto& x, const auto& b, const auto& c) const { return relu(x * b + c) * tanh(c); }
};
struct gelu_chain {
  static constexpr const char* name = "gelu_residual";
  auto operator()(const at::Tensor& x, const at::Tensor& b, const at::Tensor& c) const -> at::Tensor {
    return at::gelu(x * b + c) + x;
  }
  auto operator()(const auto& x, const auto& b, const auto& c) const { return gelu(x * b + c) + x; }
};

/// Runs what was lowered again and again in the same memory.
void run_kept(benchmark::State& state, lowered_expression l, bool leaves) {
  const bound_tensors none;
  program ready(koila::detail::plan_for(std::move(l), {.memory = 4_GiB}, leaves, none), none);
  ready.take();
  koila::detail::allocation_watch watch(true);
  for (auto _ : state) {
    ready.run(none, 0, watch);
    benchmark::DoNotOptimize(ready.output(0).const_data_ptr());
  }
}

template <class Chain>
void koila_forward(benchmark::State& state) {
  const operands o(state.range(0));
  run_kept(state, lower_expression(Chain{}(lazy(o.x), lazy(o.b), lazy(o.c)), {}, false), true);
}

template <class Chain>
void eager_forward(benchmark::State& state) {
  const operands o(state.range(0));
  for (auto _ : state) {
    const at::Tensor y = Chain{}(o.x, o.b, o.c);
    benchmark::DoNotOptimize(y.const_data_ptr());
  }
}

/// The sum of the chain, and the gradients of its three operands.
template <class Chain, index_t Rows>
void koila_backward(benchmark::State& state) {
  const parameter<Rows, width> x{"x"}, b{"b"}, c{"c"};
  for (const auto& p : {x, b, c}) set(p, at::randn({Rows, width}));
  run_kept(state, lower_expression(sum(Chain{}(x, b, c)), {}, true), false);
}

template <class Chain>
void eager_backward(benchmark::State& state) {
  operands o(state.range(0));
  for (auto* t : {&o.x, &o.b, &o.c}) t->requires_grad_();
  for (auto _ : state) {
    Chain{}(o.x, o.b, o.c).sum().backward();
    for (auto* t : {&o.x, &o.b, &o.c}) t->mutable_grad().reset();
  }
}

void copy(benchmark::State& state) {
  const operands o(state.range(0));
  for (auto _ : state) {
    std::memcpy(o.c.mutable_data_ptr(), o.x.const_data_ptr(), o.x.nbytes());
    benchmark::ClobberMemory();
  }
}

constexpr std::int64_t sizes[] = {4 << 10, 64 << 10, 1 << 20, 16 << 20};

template <class Chain>
void register_chain() {
  using benchmark::RegisterBenchmark;
  const auto at = [](benchmark::internal::Benchmark* b, std::int64_t n) {
    b->Arg(n)->Unit(benchmark::kMicrosecond)->UseRealTime();
  };
  const std::string name = std::string("chain_") + Chain::name;
  for (const std::int64_t n : sizes) {
    at(RegisterBenchmark((name + "/koila").c_str(), koila_forward<Chain>), n);
    at(RegisterBenchmark((name + "/eager").c_str(), eager_forward<Chain>), n);
    at(RegisterBenchmark((name + "/floor").c_str(), copy), n);
  }
  const std::string backward = name + "_backward";
  at(RegisterBenchmark((backward + "/koila").c_str(), koila_backward<Chain, sizes[0] / width>), sizes[0]);
  at(RegisterBenchmark((backward + "/koila").c_str(), koila_backward<Chain, sizes[1] / width>), sizes[1]);
  at(RegisterBenchmark((backward + "/koila").c_str(), koila_backward<Chain, sizes[2] / width>), sizes[2]);
  at(RegisterBenchmark((backward + "/koila").c_str(), koila_backward<Chain, sizes[3] / width>), sizes[3]);
  for (const std::int64_t n : sizes) at(RegisterBenchmark((backward + "/eager").c_str(), eager_backward<Chain>), n);
}

const int registered = (register_chain<relu_tanh_chain>(), register_chain<gelu_chain>(), 0);

}  // namespace
