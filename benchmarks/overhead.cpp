// SPDX-License-Identifier: MIT
// Measures koila's overhead per node of the graph: the time to build, lower and plan an expression,
// and to prepare its tensors.
#include <cstdlib>
#include <new>

#include "models.hpp"

namespace {

std::size_t heap_allocations = 0;

}  // namespace

// Counts the heap allocations of the whole program. noinline: otherwise g++ sees that memory of
// malloc is passed to operator delete, and warns.
[[gnu::noinline]] void* operator new(std::size_t n) {
  ++heap_allocations;
  if (void* p = std::malloc(n)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace koila;
using namespace koila::detail;

/// Builds the expression of a perceptron 784-512-512-10 with its loss. None of its 15 nodes is on
/// the heap.
void build(benchmark::State& state) {
  const bench::mlp net;
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  const auto before = heap_allocations;
  for (auto _ : state) {
    auto loss = cross_entropy(net(x), label);
    benchmark::DoNotOptimize(loss);
  }
  constexpr double nodes = static_cast<double>(decltype(cross_entropy(net(x), label))::size);
  state.counters["heap_allocations"] =
      static_cast<double>(heap_allocations - before) / static_cast<double>(state.iterations());
  state.counters["per_node"] =
      benchmark::Counter(nodes, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Binds two tensors. The check of their shapes uses the same rules as the compiler's check of
/// types.
void bind(benchmark::State& state) {
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  const at::Tensor images = at::rand({64, 784}), labels = at::randint(10, {64}, at::kLong);
  for (auto _ : state) {
    const bound_tensors bound = koila::detail::bound_of(x = images, label = labels);
    benchmark::DoNotOptimize(koila::detail::bindings_of(bound));
  }
}

/// Finds the kept plan of a step that has run with the same shapes.
void find_plan(benchmark::State& state) {
  const bench::mlp net;
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  const at::Tensor images = at::rand({64, 784}), labels = at::randint(10, {64}, at::kLong);
  auto train = step(cross_entropy(net(x), label), sgd{.lr = 0.01}, {.memory = 1_GiB});
  (void)train(x = images, label = labels);
  for (auto _ : state) benchmark::DoNotOptimize(&train.plan(x = images, label = labels));
}

/// Makes a step with the loss mean(relu(linear(x, w, b)) * c), 64 x 64 values and SGD, and calls
/// `f`, which measures the step. After `state`, `f` gets three arguments: a function that calls the
/// step; the loss; and the bound tensors.
template <class F>
void small_step(benchmark::State& state, F f) {
  input<batch, 64> x{"x"};
  parameter<64, 64> w{"w"};
  parameter<64> b{"b"}, c{"c"};
  const auto loss = mean(relu(linear(x, w, b)) * c);
  const at::Tensor features = at::randn({64, 64});
  auto train = step(loss, sgd{.lr = 1e-6}, {.memory = 1_GiB});
  f(state, [&] { return train(x = features); }, loss, koila::detail::bound_of(x = features));
}
/// Calls the step as a user does. The call binds and checks tensors, finds the plan, reads the free
/// memory, and runs the kernels and the update.
void step_called(benchmark::State& state) {
  small_step(state, [](benchmark::State& s, const auto& train, const auto&, const bound_tensors&) {
    for (auto _ : s) benchmark::DoNotOptimize(train());
  });
}
/// Runs the same kernels and the same update in a loop, with a prepared program and known tensors.
void step_by_hand(benchmark::State& state) {
  small_step(state, [](benchmark::State& s, const auto&, const auto& loss, const bound_tensors& bound) {
    const at::AutoDispatchBelowADInplaceOrView below;
    lowered_expression l = lower_expression(loss, koila::detail::bindings_of(bound), true);
    std::vector<at::Tensor> parameters;
    for (const int p : l.parameters) parameters.push_back(tensor_of(*l.graph.node(p).leaf));
    program ready(koila::detail::plan_for(std::move(l), {.memory = 1_GiB}, false, bound), bound);
    ready.acquire();
    koila::detail::allocation_watch watch(ready.plan().buffers.workspace() > 0);
    const sgd update{.lr = 1e-6};
    std::vector<sgd::state> kept;
    for (const at::Tensor& p : parameters) kept.push_back(update.state_for(p));
    for (auto _ : s) {
      ready.run(bound, 0, watch);
      for (std::size_t k = 0; k < parameters.size(); ++k) update.update(parameters[k], ready.output(k + 1), kept[k]);
      benchmark::DoNotOptimize(ready.output(0).const_data_ptr());
    }
  });
}

/// Computes relu(x * b) + c with 64 x 64 values by `run`, in two forms: the expression is built
/// once, or each call builds it from lazy tensors.
void run_made_once(benchmark::State& state) {
  const at::Tensor x = at::randn({64, 64}), b = at::randn({64}), c = at::randn({64});
  const auto y = relu(lazy(x) * lazy(b)) + lazy(c);
  for (auto _ : state) benchmark::DoNotOptimize(run(y));
}
void run_made_again(benchmark::State& state) {
  const at::Tensor x = at::randn({64, 64}), b = at::randn({64}), c = at::randn({64});
  for (auto _ : state) benchmark::DoNotOptimize(run(relu(lazy(x) * lazy(b)) + lazy(c)));
}
void run_eager(benchmark::State& state) {
  const at::Tensor x = at::randn({64, 64}), b = at::randn({64}), c = at::randn({64});
  for (auto _ : state) benchmark::DoNotOptimize(at::add(at::relu(at::mul(x, b)), c));
}

/// Returns the loss of a residual network of n blocks. The blocks are `erased` expressions.
auto residual(const input<batch, 32>& x, const input<int64, batch>& label, int n) {
  erased<batch, 32> h = x;
  for (int i = 0; i < n; ++i) h = h + relu(linear(h, parameter<32, 32>("w"), parameter<32>("b")));
  return cross_entropy(linear(h, parameter<10, 32>("head")), label);
}

template <class F>
void per_node(benchmark::State& state, F f) {
  input<batch, 32> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = residual(x, label, static_cast<int>(state.range(0)));
  const bound_tensors bound = koila::detail::bound_of(x = at::rand({64, 32}), label = at::randint(10, {64}, at::kLong));
  const double nodes = f(state, loss, bound);
  state.counters["nodes"] = nodes;
  state.counters["per_node"] =
      benchmark::Counter(nodes, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Lowers an expression with its gradients, and plans it. The planner considers the whole batch and
/// every chunk size.
void plan_graph(benchmark::State& state) {
  per_node(state, [](benchmark::State& s, const auto& loss, const bound_tensors& bound) {
    double nodes = 0;
    for (auto _ : s) {
      const memory_plan p = koila::detail::plan_for(lower_expression(loss, koila::detail::bindings_of(bound), true),
                                                    {.memory = 1_GiB}, false, bound);
      nodes = static_cast<double>(p.graph.nodes.size());
    }
    return nodes;
  });
}

/// Prepares the tensors of a plan: the arena, and a tensor for every value in the arena.
void prepare(benchmark::State& state) {
  per_node(state, [](benchmark::State& s, const auto& loss, const bound_tensors& bound) {
    double nodes = 0;
    for (auto _ : s) {
      s.PauseTiming();
      memory_plan p = koila::detail::plan_for(lower_expression(loss, koila::detail::bindings_of(bound), true),
                                              {.memory = 1_GiB}, false, bound);
      nodes = static_cast<double>(p.graph.nodes.size());
      s.ResumeTiming();
      program ready(std::move(p), bound);
      ready.acquire();
    }
    return nodes;
  });
}

/// Lowers, plans, prepares and runs a residual network with its gradients. The time must be linear
/// in the number of nodes.
void whole_step(benchmark::State& state) {
  per_node(state, [](benchmark::State& s, const auto& loss, const bound_tensors& bound) {
    double nodes = 0;
    for (auto _ : s) {
      memory_plan p = koila::detail::plan_for(lower_expression(loss, koila::detail::bindings_of(bound), true),
                                              {.memory = 1_GiB}, false, bound);
      nodes = static_cast<double>(p.graph.nodes.size());
      program ready(std::move(p), bound);
      ready.acquire();
      koila::detail::allocation_watch watch(true);
      ready.run(bound, 0, watch);
    }
    return nodes;
  });
}

BENCHMARK(build)->Name("expression_build/koila/784-512-512-10");
BENCHMARK(bind)->Name("bind/koila/784-512-512-10");
BENCHMARK(find_plan)->Name("find_plan/koila/784-512-512-10");
BENCHMARK(step_called)->Name("lazy_overhead/koila/64");
BENCHMARK(step_by_hand)->Name("lazy_overhead/floor/64");
BENCHMARK(run_made_once)->Name("run_of_tensors/koila/64");
BENCHMARK(run_made_again)->Name("run_of_tensors/koila made again/64");
BENCHMARK(run_eager)->Name("run_of_tensors/eager/64");
BENCHMARK(plan_graph)
    ->Name("plan/koila")
    ->Arg(10)
    ->Arg(50)
    ->Arg(200)
    ->Arg(1000)
    ->Arg(4000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(prepare)
    ->Name("prepare/koila")
    ->Arg(10)
    ->Arg(50)
    ->Arg(200)
    ->Arg(1000)
    ->Arg(4000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(whole_step)->Name("plan_and_run/koila")->Arg(50)->Arg(500)->Arg(4000)->Unit(benchmark::kMicrosecond);

}  // namespace
