// SPDX-License-Identifier: MIT
// Buffers change only after a run has succeeded.
#include "run/support.hpp"

using namespace koila;
using namespace koila::author;
using namespace ::test;

namespace {

/// x minus a running mean over batches. Each run replaces a tenth of the running mean by the mean
/// of its batch.
inline constexpr struct centred : op<centred> {
  static constexpr std::string_view name = "centred";
  static constexpr auto rule(const dims& x, const dims&) -> verdict { return x; }
  static constexpr auto expand(const auto& x, const auto& running) { return x - running; }
  static constexpr auto updates(const auto& x, const auto& running, const no_attributes&) {
    return gradients(no_gradient, running * 0.9 + mean(x, 0_c) * 0.1);
  }
} centred;

}  // namespace

TEST_CASE("a buffer is changed when a run has succeeded, and by the whole batch in whatever chunks") {
  const at::Tensor t = at::arange(20, at::kDouble).view({10, 2});  // (samples, 2)
  for (const index_t chunk : {index_t{10}, index_t{4}, index_t{1}}) {
    const input<float64, batch, 2> x{"x"};
    const buffer<float64, 2> running{"running", {initial::constant, 1}};
    const parameter<float64, 2> w{"w"};
    set(w, at::ones({2}, at::kDouble));
    const auto loss = sum(centred(x * w, running));
    const at::Tensor after = at::ones({2}, at::kDouble) * 0.9 + t.mean(0) * 0.1;

    CHECK(at::equal(tensor_of(running), at::ones({2}, at::kDouble)));
    CHECK(at::allclose(run(loss, {.chunk = chunk}, x = t), (t - 1).sum(), 1e-12, 0));
    CHECK(at::allclose(tensor_of(running), after, 1e-12, 0));
    CHECK(!tensor_of(running).requires_grad());

    (void)backward(loss, {.chunk = chunk}, x = t);
    CHECK(at::allclose(tensor_of(running), after * 0.9 + t.mean(0) * 0.1, 1e-12, 0));
    CHECK(at::allclose(tensor_of(w).grad(), t.sum(0), 1e-12, 0));

    auto train = step(loss, sgd{.lr = 0}, {.chunk = chunk});
    set(running, at::zeros({2}, at::kDouble));
    (void)train(x = t);
    (void)train(x = t);
    CHECK(at::allclose(tensor_of(running), t.mean(0) * 0.19, 1e-12, 0));
  }
}

TEST_CASE("a buffer that is used twice is changed twice, in order") {
  const input<float64, batch, 2> x{"x"};
  const buffer<float64, 2> running{"running"};
  const at::Tensor t = at::arange(8, at::kDouble).view({4, 2});  // (samples, 2)
  (void)run(sum(centred(x, running)) + sum(centred(x * 2, running)), x = t);
  CHECK(at::allclose(tensor_of(running), t.mean(0) * (0.1 * 0.9 + 0.2), 1e-12, 0));
}

TEST_CASE("a value that is used twice changes its buffer once") {
  const input<float64, batch, 2> x{"x"};
  const buffer<float64, 2> running{"running"};
  const at::Tensor t = at::arange(8, at::kDouble).view({4, 2});  // (samples, 2)
  const auto z = centred(x, running);                            // without let
  (void)run(sum(z * exp(z)) + sum(z), x = t);
  CHECK(at::allclose(tensor_of(running), t.mean(0) * 0.1, 1e-12, 0));
}

TEST_CASE("a buffer is changed by a call on plain tensors too, and not by a run that fails") {
  const buffer<float64, 2> running{"running"};
  const at::Tensor t = at::arange(8, at::kDouble).view({4, 2});  // (samples, 2)
  CHECK(at::equal(centred(t, running), t));
  CHECK(at::allclose(tensor_of(running), t.mean(0) * 0.1, 1e-12, 0));

  const input<float64, batch, 2> x{"x"};
  CHECK_THROWS_AS(run(centred(x, running), {.memory = 1}, x = t), memory_error);
  CHECK(at::allclose(tensor_of(running), t.mean(0) * 0.1, 1e-12, 0));
}

TEST_CASE("a parameter begins as it is told to") {
  const parameter<64, 32> ones{"ones", {initial::constant, 1}}, normal{"normal", {initial::normal, 0.5, 2}},
      uniform{"uniform", {initial::uniform, 3, 1}}, xavier{"xavier", {initial::xavier_uniform, 1}};
  CHECK(at::equal(tensor_of(ones), at::ones({64, 32})));
  CHECK(std::abs(tensor_of(normal).mean().item<double>() - 2) < 0.1);
  CHECK(std::abs(tensor_of(normal).std().item<double>() - 0.5) < 0.05);
  CHECK(tensor_of(uniform).min().item<double>() >= 1);
  CHECK(tensor_of(uniform).max().item<double>() <= 4);
  CHECK(tensor_of(uniform).max().item<double>() > 3.9);
  CHECK(tensor_of(xavier).abs().max().item<double>() <= std::sqrt(6.0 / 96));
  CHECK(tensor_of(xavier).abs().max().item<double>() > 0.9 * std::sqrt(6.0 / 96));
}
