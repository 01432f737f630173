// SPDX-License-Identifier: MIT
// float32 sums over a very large number of chunks are as exact as the sums of the whole batch.
#include "float32_bound.hpp"
#include "run/support.hpp"

#include <koila/kernels/cpu/brgemm.ipp>

#include <c10/core/GradMode.h>

using namespace koila;
using namespace ::test;

namespace {

struct results {
  at::Tensor value, weight, bias;
};

/// Compares a linear model in small chunks with the whole batch in float64. The error may be as
/// large as LibTorch's float32 error.
void check_against_float64(index_t samples, double shift) {
  CAPTURE(samples, shift);
  const at::Tensor features = at::randn({samples, 3}, at::kDouble) + shift,
                   want = at::randn({samples, 2}, at::kDouble) - shift;
  const at::Tensor w0 = at::randn({2, 3}, at::kDouble), b0 = at::randn({2}, at::kDouble);
  const auto eager = [&](at::ScalarType type) {
    const at::Tensor w = w0.to(type).clone().requires_grad_(), b = b0.to(type).clone().requires_grad_();
    const at::Tensor loss = (at::linear(features.to(type), w, b) - want.to(type)).square().mean();
    loss.backward();
    return results{loss, w.grad(), b.grad()};
  };
  const results exact = eager(at::kDouble), whole = eager(at::kFloat);

  const parameter<2, 3> w{"w"};
  const parameter<2> b{"b"};
  const input<batch, 3> x{"x"};
  const input<batch, 2> y{"y"};
  tensor_of(w).detach().copy_(w0);
  tensor_of(b).detach().copy_(b0);
  const auto loss = mean(square(linear(x, w, b) - y));
  const at::Tensor in32 = features.to(at::kFloat), want32 = want.to(at::kFloat);
  for (const index_t chunk : {index_t{1}, index_t{3}, samples / 65}) {
    CAPTURE(chunk);
    tensor_of(w).mutable_grad() = at::Tensor();
    tensor_of(b).mutable_grad() = at::Tensor();
    const index_t predicted = plan(loss, {.chunk = chunk}, x = in32, y = want32).peak_bytes();
    const measure m;
    const at::Tensor value = backward(loss, {.chunk = chunk}, x = in32, y = want32);
    CHECK(m.peak() == predicted);
    const auto check = [chunk](const at::Tensor& got, const at::Tensor& eager32, const at::Tensor& right) {
      CHECK(relative_error(got, right) <= float32_bound(terms_of_chunks(chunk), relative_error(eager32, right)));
    };
    check(value, whole.value, exact.value);
    check(tensor_of(w).grad(), whole.weight, exact.weight);
    check(tensor_of(b).grad(), whole.bias, exact.bias);
  }
}

/// Returns the largest allowed error of the gradient of a weight that is used several times.
/// koila's kernels sum each product separately, so their bound is tighter than a BLAS's.
auto bound_of_gradients(index_t chunk, double of_libtorch) -> double {
  return koila::detail::has_brgemm() ? 1.25 * of_libtorch + 4 * float32_rounding
                                     : float32_bound(terms_of_chunks(chunk), of_libtorch);
}

}  // namespace

TEST_CASE("65,536 chunks in float32 are as exact as the whole batch") {
  for (const index_t samples : {1000, 4096, 65536})
    for (const double shift : {0.0, 3.0}) check_against_float64(samples, shift);
}

TEST_CASE(
    "trials A5: a weight that is used several times has a gradient as exact as LibTorch's, in chunks of each size, by any BLAS") {
  // The error of a few elements varies at random, so the test averages the errors of several draws.
  constexpr int draws = 6;
  for (const index_t samples : {1000, 20000}) {
    double libtorch = 0;
    const std::vector<index_t> chunks{1, 3, 7, samples / 65, samples / 30, samples / 2, samples};
    std::vector<double> errors(chunks.size(), 0.0);
    for (int draw = 0; draw < draws; ++draw) {
      const parameter<4, 4> w{"w"};
      const input<batch, 4> x{"x"};
      const auto loss = mean(square(linear(tanh(linear(tanh(linear(x, w)), w)), w)));
      const at::Tensor features = at::randn({samples, 4});  // (samples, 4)
      const auto eager = [&](at::ScalarType type) {
        const at::Tensor v = tensor_of(w).detach().to(type, false, true).requires_grad_();
        at::Tensor y = features.to(type);
        for (int k = 0; k < 3; ++k) y = k < 2 ? at::linear(y, v).tanh() : at::linear(y, v);
        y.square().mean().backward();
        return v.grad();
      };
      const at::Tensor exact = eager(at::kDouble);
      libtorch += relative_error(eager(at::kFloat), exact) / draws;
      for (std::size_t k = 0; k < chunks.size(); ++k) {
        tensor_of(w).mutable_grad() = at::Tensor();
        const index_t predicted = plan(loss, {.chunk = chunks[k]}, x = features).peak_bytes();
        const measure m;
        (void)backward(loss, {.chunk = chunks[k]}, x = features);
        CHECK(m.peak() == predicted);
        errors[k] += relative_error(tensor_of(w).grad(), exact) / draws;
      }
    }
    for (std::size_t k = 0; k < chunks.size(); ++k) {
      CAPTURE(samples, chunks[k], errors[k], libtorch);
      CHECK(errors[k] <= bound_of_gradients(chunks[k], libtorch));
    }
  }
}

TEST_CASE("trials A5: so has a wide weight that is used eight times, whose products are long") {
  const parameter<96, 96> w{"w"};
  const input<batch, 96> x{"x"};
  const auto layer = [&](const auto& h) { return linear(h, w); };
  const auto two = [&](const auto& h) { return layer(layer(h)); };
  const auto loss = mean(square(two(two(two(two(x))))));
  {
    const c10::AutoGradMode without(false);
    tensor_of(w).copy_(at::eye(96) * 0.9 + at::randn({96, 96}) * 0.01);
  }
  const at::Tensor features = at::randn({6000, 96});  // (samples, 96)
  const auto eager = [&](at::ScalarType type) {
    const at::Tensor v = tensor_of(w).detach().to(type, false, true).requires_grad_();
    at::Tensor y = features.to(type);
    for (int k = 0; k < 8; ++k) y = at::linear(y, v);
    y.square().mean().backward();
    return v.grad();
  };
  const at::Tensor exact = eager(at::kDouble);
  const double libtorch = relative_error(eager(at::kFloat), exact);
  for (const index_t chunk : {100, 1500, 6000}) {
    tensor_of(w).mutable_grad() = at::Tensor();
    (void)backward(loss, {.chunk = chunk}, x = features);
    const double error = relative_error(tensor_of(w).grad(), exact);
    CAPTURE(chunk, error, libtorch);
    CHECK(error <= bound_of_gradients(chunk, libtorch));
  }
}

TEST_CASE("statistics of very many chunks are as exact as the whole batch's") {
  const input<batch, 4> x{"x"};
  const at::Tensor features = at::randn({20000, 4}, at::kDouble) * 2 + 100;  // (20000, 4)
  const at::Tensor in32 = features.to(at::kFloat), exact = in32.to(at::kDouble).var(0);
  const double eager = relative_error(in32.var(0), exact);
  for (const index_t chunk : {1, 7, 300, 20000})
    CHECK(relative_error(run(var(x, 0_c), {.chunk = chunk}, x = in32), exact) <=
          float32_bound(terms_of_chunks(chunk), eager));
}

TEST_CASE("a compensated sum that is infinite or not a number stays so") {
  const parameter<2> b{"b"};
  const input<batch, 2> x{"x"};
  at::Tensor features = at::ones({500, 2});  // (500, 2)
  features[77][0] = INFINITY;
  features[78][1] = NAN;
  const auto loss = sum(x * b);
  (void)backward(loss, {.chunk = 1}, x = features);
  CHECK(std::isinf(tensor_of(b).grad()[0].item<float>()));
  CHECK(std::isnan(tensor_of(b).grad()[1].item<float>()));
}
