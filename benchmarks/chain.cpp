// SPDX-License-Identifier: MIT
// Chains of element-wise ops, forward, and forward with backward: koila, eager LibTorch, and a
// memory copy of one operand's size. Argument: the number of elements.
//
// koila keeps its memory between runs, as a training step does. Eager LibTorch frees its memory
// after each run, and malloc returns large blocks to the system, unless scripts/bench runs with
// --reuse. In the benchmarks *_fresh, koila frees its memory as well.
#include <array>
#include <cstring>
#include <string>

#include "models.hpp"

namespace {

using namespace koila;
using namespace koila::detail;

constexpr std::int64_t width = 256;

/// Three contiguous operands, all of the full size.
struct full {
  static auto operands(std::int64_t n) -> std::array<at::Tensor, 3> {
    const auto draw = [&] { return at::randn({n / width, width}); };
    return {draw(), draw(), draw()};
  }
};

/// In each chain, the first overload computes tensors with LibTorch; the second one builds a koila
/// expression.
struct relu_tanh : full {
  static auto name() -> std::string { return "relu_tanh"; }
  auto operator()(const at::Tensor& x, const at::Tensor& b, const at::Tensor& c) const -> at::Tensor {
    return at::relu(x * b + c) * at::tanh(c);
  }
  auto operator()(const auto& x, const auto& b, const auto& c) const { return relu(x * b + c) * tanh(c); }
};
struct gelu_residual : full {
  static auto name() -> std::string { return "gelu_residual"; }
  auto operator()(const at::Tensor& x, const at::Tensor& b, const at::Tensor& c) const -> at::Tensor {
    return at::gelu(x * b + c) + x;
  }
  auto operator()(const auto& x, const auto& b, const auto& c) const { return gelu(x * b + c) + x; }
};

/// A chain of `Ops` ops: multiply, add, relu, subtract, and then multiply again.
template <int Ops>
struct of_ops : full {
  static auto name() -> std::string { return "of_" + std::to_string(Ops) + "_ops"; }
  auto operator()(const auto& x, const auto& b, const auto& c) const { return after<0>(x, b, c); }

 private:
  template <int Done>
  static auto after(const auto& y, const auto& b, const auto& c) {
    if constexpr (Done == Ops) return y;
    else if constexpr (Done % 4 == 0) return after<Done + 1>(y * b, b, c);
    else if constexpr (Done % 4 == 1) return after<Done + 1>(y + c, b, c);
    else if constexpr (Done % 4 == 2) return after<Done + 1>(rectified(y), b, c);
    else return after<Done + 1>(y - b, b, c);
  }
  static auto rectified(const at::Tensor& y) -> at::Tensor { return at::relu(y); }
  static auto rectified(const auto& y) { return koila::relu(y); }
};

/// One operand is a single row, which is broadcast; another operand has one number for each row.
struct broadcast : relu_tanh {
  static auto name() -> std::string { return "broadcast"; }
  static auto operands(std::int64_t n) -> std::array<at::Tensor, 3> {
    return {at::randn({n / width, width}), at::randn({width}), at::randn({n / width, 1})};
  }
};
/// One operand is transposed; another operand consists of every second column of a larger tensor.
struct strided : relu_tanh {
  static auto name() -> std::string { return "strided"; }
  static auto operands(std::int64_t n) -> std::array<at::Tensor, 3> {
    return {at::randn({width, n / width}).t(), at::randn({n / width, 2 * width}).slice(1, 0, 2 * width, 2),
            at::randn({n / width, width})};
  }
};

/// The next three structs reduce a chain to a scalar whose gradients are computed: its sum, its
/// mean, or its mse_loss.
struct summed {
  static auto name() -> std::string { return ""; }
  template <class Chain>
  static auto end_of(const at::Tensor& x, const at::Tensor& b, const at::Tensor& c) -> at::Tensor {
    return Chain{}(x, b, c).sum();
  }
  template <class Chain>
  static auto end_of(const auto& x, const auto& b, const auto& c) {
    return sum(Chain{}(x, b, c));
  }
};
struct averaged {
  static auto name() -> std::string { return "_mean"; }
  template <class Chain>
  static auto end_of(const at::Tensor& x, const at::Tensor& b, const at::Tensor& c) -> at::Tensor {
    return Chain{}(x, b, c).mean();
  }
  template <class Chain>
  static auto end_of(const auto& x, const auto& b, const auto& c) {
    return mean(Chain{}(x, b, c));
  }
};
struct compared {
  static auto name() -> std::string { return "_mse"; }
  template <class Chain>
  static auto end_of(const at::Tensor& x, const at::Tensor& b, const at::Tensor& c) -> at::Tensor {
    return at::mse_loss(Chain{}(x, b, c), c);
  }
  template <class Chain>
  static auto end_of(const auto& x, const auto& b, const auto& c) {
    return mse_loss(Chain{}(x, b, c), c);
  }
};

template <class Chain>
void koila_forward(benchmark::State& state) {
  const auto [x, b, c] = Chain::operands(state.range(0));
  bench::run_kept(state, lower_expression(Chain{}(lazy(x), lazy(b), lazy(c)), {}, false), true);
}

/// Calls `run`, which allocates its memory at each call, as eager LibTorch does.
template <class Chain>
void koila_fresh(benchmark::State& state) {
  const auto [x, b, c] = Chain::operands(state.range(0));
  const auto y = Chain{}(lazy(x), lazy(b), lazy(c));
  const auto once = [&] { benchmark::DoNotOptimize(run(y).const_data_ptr()); };
  once();
  state.counters["peak"] = static_cast<double>(bench::peak_of(once));
  for (auto _ : state) once();
  state.SetLabel(bench::eagers_memory());
}

template <class Chain>
void eager_forward(benchmark::State& state) {
  const auto [x, b, c] = Chain::operands(state.range(0));
  const auto once = [&, &x = x, &b = b, &c = c] { benchmark::DoNotOptimize(Chain{}(x, b, c).const_data_ptr()); };
  state.counters["peak"] = static_cast<double>(bench::peak_of(once));
  for (auto _ : state) once();
  state.SetLabel(bench::eagers_memory());
}

/// Computes a scalar from the chain, and the gradients of the chain's three operands.
template <class Chain, class End>
void koila_backward(benchmark::State& state) {
  const auto all = Chain::operands(state.range(0));
  const auto x = bench::parameter_of(all[0]), b = bench::parameter_of(all[1]), c = bench::parameter_of(all[2]);
  bench::run_kept(state, lower_expression(End::template end_of<Chain>(x, b, c), {}, true), false);
}

template <class Chain, class End>
void eager_backward(benchmark::State& state) {
  auto all = Chain::operands(state.range(0));
  for (auto& t : all) t.requires_grad_();
  const auto once = [&] {
    End::template end_of<Chain>(all[0], all[1], all[2]).backward();
    for (auto& t : all) t.mutable_grad().reset();
  };
  state.counters["peak"] = static_cast<double>(bench::peak_of(once));
  for (auto _ : state) once();
  state.SetLabel(bench::eagers_memory());
}

/// Copies into newly allocated memory each time.
void copy_fresh(benchmark::State& state) {
  const auto [x, b, c] = full::operands(state.range(0));
  for (auto _ : state) {
    const at::Tensor y = at::empty_like(x);
    std::memcpy(y.mutable_data_ptr(), x.const_data_ptr(), x.nbytes());
    benchmark::ClobberMemory();
  }
  state.SetLabel(bench::eagers_memory());
}

void copy(benchmark::State& state) {
  const auto [x, b, c] = full::operands(state.range(0));
  for (auto _ : state) {
    std::memcpy(c.mutable_data_ptr(), x.const_data_ptr(), x.nbytes());
    benchmark::ClobberMemory();
  }
  state.SetLabel("memory reused");
}

void add(const std::string& name, void (*f)(benchmark::State&)) {
  auto* const b = benchmark::RegisterBenchmark(name.c_str(), f);
  for (const int n : {4 << 10, 64 << 10, 1 << 20, 16 << 20}) b->Arg(n);
  b->Unit(benchmark::kMicrosecond)->UseRealTime();
}
template <class Chain>
void forward() {
  const std::string name = "chain_" + Chain::name();
  add(name + "/koila", koila_forward<Chain>);
  add(name + "/eager", eager_forward<Chain>);
  add(name + "/floor", copy);
}
template <class Chain, class End = summed>
void backward() {
  const std::string name = "chain_" + Chain::name() + End::name() + "_backward";
  add(name + "/koila", koila_backward<Chain, End>);
  add(name + "/eager", eager_backward<Chain, End>);
}
template <class Chain>
void fresh() {
  const std::string name = "chain_" + Chain::name() + "_fresh";
  add(name + "/koila", koila_fresh<Chain>);
  add(name + "/eager", eager_forward<Chain>);
  add(name + "/floor", copy_fresh);
}
template <class... Chains>
void both() {
  (..., (forward<Chains>(), backward<Chains>()));
}

const int registered =
    (both<relu_tanh, gelu_residual, of_ops<2>, of_ops<4>, of_ops<8>, of_ops<12>, broadcast, strided>(),
     fresh<relu_tanh>(), backward<of_ops<2>, averaged>(), backward<of_ops<2>, compared>(), 0);

}  // namespace
