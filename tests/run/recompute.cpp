// SPDX-License-Identifier: MIT
// Inside a chunk, values are recomputed if the plan would exceed the budget without recomputation.
// The predicted peak is exact, and the bits are the same as without recomputation. With
// recomputation, a single sample needs less memory.
#include "run/support.hpp"

#include <set>

using namespace koila;
using namespace ::test;

namespace {

constexpr int layers = 12;

/// Twelve layers of width 32. Most of the live memory is for values that the gradients need.
struct deep {
  parameter<float64, 32, 32> w{"w"};
  auto operator()(const auto& x) const {
    erased<float64, batch, 32> h = x;
    for (int k = 0; k < layers; ++k) {
      const auto z = let(linear(h, w));
      h = tanh(z) * sigmoid(z) + h;
    }
    return h;
  }
};

auto calls_of(const memory_plan& p) -> int {
  int n = 0;
  for (const auto& loop : p.order.loop_of)
    for (const int i : loop.body) n += p.graph.node(i).is_view() ? 0 : 1;
  return n;
}
/// Returns true if a loop computes a node more than once.
auto recomputes(const memory_plan& p) -> bool {
  for (const auto& loop : p.order.loop_of)
    if (std::set<int>(loop.body.begin(), loop.body.end()).size() < loop.body.size()) return true;
  return false;
}

}  // namespace

TEST_CASE("a value is computed again inside a chunk where only so it fits: exact peak, the same bits") {
  const deep f;
  const input<float64, batch, 32> x{"x"};
  const auto loss = mean(square(f(x)));
  const at::Tensor& w = tensor_of(f.w);
  const at::Tensor features = at::randn({64, 32}, at::kDouble);  // (64, 32)
  const auto gradient_with = [&](const options& o) {
    w.mutable_grad() = at::Tensor();
    (void)backward(loss, o, x = features);
    return w.grad().clone();
  };
  for (const index_t chunk : {64, 16, 7}) {
    const memory_plan plain = plan(loss, {.chunk = chunk}, x = features);
    const at::Tensor expected = gradient_with({.chunk = chunk});
    CHECK(!recomputes(plain));
    std::set<int> calls;
    index_t least = plain.peak_bytes();
    double seconds = plain.predicted_seconds;
    for (index_t budget = plain.peak_bytes() - 1; budget > 0; budget -= plain.peak_bytes() / 40) {
      CAPTURE(chunk, budget, plain.peak_bytes());
      try {
        const memory_plan p = plan(loss, {.memory = budget, .chunk = chunk}, x = features);
        CHECK(recomputes(p));
        CHECK(p.peak_bytes() <= budget);
        CHECK(p.predicted_seconds >= seconds);  // less memory never means less work
        seconds = p.predicted_seconds;
        calls.insert(calls_of(p));
        least = p.peak_bytes();
        w.mutable_grad() = at::Tensor();
        const measure m;
        (void)backward(loss, {.memory = budget, .chunk = chunk}, x = features);
        CHECK(m.peak() == p.peak_bytes());
        CHECK(at::equal(w.grad(), expected));
      } catch (const memory_error&) { break; }
    }
    CHECK(calls.size() >= 5);
    CHECK(least < plain.peak_bytes() / (chunk == 64 ? 2 : 1));
  }
}

TEST_CASE("with recompute one sample fits where it did not") {
  const input<float64, batch, 256, 8> x{"x"};
  erased<float64, batch, 256, 8> h = x;
  std::vector<parameter<float64, 8, 8>> weights;  // small compared with the memory of a sample
  for (int k = 0; k < layers; ++k) h = tanh(linear(h, weights.emplace_back("w")));
  const auto loss = mean(square(h));
  const at::Tensor features = at::randn({1, 256, 8}, at::kDouble);  // (1, 256, 8)
  const index_t plain = plan(loss, {.chunk = 1}, x = features).peak_bytes();
  const index_t budget = plain / 2;
  const memory_plan p = plan(loss, {.memory = budget}, x = features);
  CHECK(p.chunk() == 1);
  CHECK(recomputes(p));
  const measure m;
  (void)backward(loss, {.memory = budget}, x = features);
  CHECK(m.peak() == p.peak_bytes());
  CHECK(m.peak() <= budget);
}

TEST_CASE("row 13: random values that are computed again are the same") {
  const parameter<float64, 32, 32> w{"w"};
  const input<float64, batch, 32> x{"x"};
  erased<float64, batch, 32> h = x;
  for (int k = 0; k < layers; ++k) h = dropout(tanh(linear(h, w)), 0.5) + h;
  const auto loss = mean(square(h));
  const at::Tensor features = at::randn({64, 32}, at::kDouble);  // (64, 32)
  const auto gradient_with = [&](const options& o) {
    koila::manual_seed(7);
    tensor_of(w).mutable_grad() = at::Tensor();
    (void)backward(loss, o, x = features);
    return tensor_of(w).grad().clone();
  };
  const memory_plan plain = plan(loss, {.chunk = 64}, x = features);
  const index_t budget = plain.peak_bytes() * 3 / 4;
  CHECK(recomputes(plan(loss, {.memory = budget, .chunk = 64}, x = features)));
  CHECK(at::equal(gradient_with({.memory = budget, .chunk = 64}), gradient_with({.chunk = 64})));
}
