// SPDX-License-Identifier: MIT
#pragma once
// Models and helpers shared by several benchmarks.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <vector>

#include <koila/koila.hpp>

#include "measure.hpp"

namespace bench {

using namespace koila::detail;

/// A perceptron 784-512-512-10.
struct mlp {
  koila::parameter<512, 784> w1{"w1"};
  koila::parameter<512> b1{"b1"};
  koila::parameter<512, 512> w2{"w2"};
  koila::parameter<512> b2{"b2"};
  koila::parameter<10, 512> w3{"w3"};
  koila::parameter<10> b3{"b3"};
  auto operator()(const auto& x) const {
    using namespace koila;
    return linear(relu(linear(relu(linear(x, w1, b1)), w2, b2)), w3, b3);  // (batch, 10)
  }
  auto tensors() const -> std::vector<at::Tensor> {
    using koila::tensor_of;
    return {tensor_of(w1), tensor_of(b1), tensor_of(w2), tensor_of(b2), tensor_of(w3), tensor_of(b3)};
  }
};

/// Returns a label that says whether malloc keeps blocks that eager LibTorch frees. See
/// scripts/bench.
inline auto eagers_memory() -> const char* {
  return std::getenv("KOILA_MALLOC_KEEPS") != nullptr ? "memory reused" : "memory fresh where large";
}

/// Returns the peak bytes that `f` allocates.
template <class F>
auto peak_of(F f) -> std::int64_t {
  const measure watch;
  f();
  return watch.peak();
}

/// Returns a parameter with the given tensor, which may have any dims.
inline auto parameter_of(const at::Tensor& t) -> koila::tensor_leaf {
  using namespace koila;
  dims d = shape_of(t);
  for (int i = 0; i < d.rank; ++i) d.e[i].open = false;
  tensor_leaf leaf(make_handle<leaf_state>("x", d, leaf_state::parameter));
  set(*leaf.state, t);
  return leaf;
}

/// Runs a lowered expression repeatedly in the same memory. If `leaves`, the gradients are tensors
/// outside the arena.
inline void run_kept(benchmark::State& state, koila::detail::lowered_expression l, bool leaves) {
  using namespace koila;
  const bound_tensors none;
  program ready(koila::detail::plan_for(std::move(l), {.memory = 8_GiB}, leaves, none), none);
  ready.acquire();
  koila::detail::allocation_watch watch(true);
  ready.run(none, 0, watch);  // the first run also maps its memory
  for (auto _ : state) {
    ready.run(none, 0, watch);
    benchmark::DoNotOptimize(ready.output(0).const_data_ptr());
  }
  state.counters["peak"] = static_cast<double>(ready.plan().peak_bytes());
  state.SetLabel("memory reused");
}

}  // namespace bench
