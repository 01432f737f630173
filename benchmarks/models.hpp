#pragma once
// The models that several benchmarks share, and what they count.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <vector>

#include <koila/koila.hpp>

#include "measure.hpp"

namespace bench {

/// 784-512-512-10.
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

/// What is to be said of eager LibTorch's memory: whether malloc was told to keep what is freed, see scripts/bench.
inline auto eagers_memory() -> const char* {
  return std::getenv("KOILA_MALLOC_KEEPS") != nullptr ? "memory reused" : "memory fresh where large";
}

/// The peak of what `f` allocates.
template <class F>
auto peak_of(F f) -> std::int64_t {
  const measure watch;
  f();
  return watch.peak();
}

}  // namespace bench
