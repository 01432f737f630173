// float32 sums of very many chunks lose no more than those of the whole batch.
#include "run/support.hpp"

using namespace koila;
using namespace test;

namespace {

struct results {
  at::Tensor value, weight, bias;
};

/// A linear model of `samples` samples in chunks of one, against the whole batch in float64, as far off as LibTorch's float32.
void check_against_float64(index_t samples, double shift) {
  CAPTURE(samples, shift);
  const at::Tensor in = at::randn({samples, 3}, at::kDouble) + shift, want = at::randn({samples, 2}, at::kDouble) - shift;
  const at::Tensor w0 = at::randn({2, 3}, at::kDouble), b0 = at::randn({2}, at::kDouble);
  const auto eager = [&](at::ScalarType type) {
    const at::Tensor w = w0.to(type).clone().requires_grad_(), b = b0.to(type).clone().requires_grad_();
    const at::Tensor loss = (at::linear(in.to(type), w, b) - want.to(type)).square().mean();
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
  const at::Tensor in32 = in.to(at::kFloat), want32 = want.to(at::kFloat);
  for (const index_t chunk : {index_t{1}, index_t{3}, samples / 65}) {
    CAPTURE(chunk);
    tensor_of(w).mutable_grad() = at::Tensor();
    tensor_of(b).mutable_grad() = at::Tensor();
    const index_t predicted = plan(loss, {.chunk = chunk}, x = in32, y = want32).peak_bytes();
    const measure m;
    const at::Tensor value = backward(loss, {.chunk = chunk}, x = in32, y = want32);
    CHECK(m.peak() == predicted);
    const auto check = [](const at::Tensor& got, const at::Tensor& eager32, const at::Tensor& right) {
      CHECK(relative_error(got, right) <= 1.5 * relative_error(eager32, right) + 1e-6);
    };
    check(value, whole.value, exact.value);
    check(tensor_of(w).grad(), whole.weight, exact.weight);
    check(tensor_of(b).grad(), whole.bias, exact.bias);
  }
}

}  // namespace

TEST_CASE("65,536 chunks in float32 are as exact as the whole batch") {
  for (const index_t samples : {1000, 4096, 65536})
    for (const double shift : {0.0, 3.0}) check_against_float64(samples, shift);
}

TEST_CASE("a weight that is used several times has as exact a gradient, in chunks of each size") {
  const parameter<4, 4> w{"w"};
  const input<batch, 4> x{"x"};
  const auto loss = mean(square(linear(tanh(linear(tanh(linear(x, w)), w)), w)));
  for (const index_t samples : {1000, 20000}) {
    const at::Tensor in = at::randn({samples, 4});  // (samples, 4)
    const auto eager = [&](at::ScalarType type) {
      const at::Tensor v = tensor_of(w).detach().to(type, false, true).requires_grad_();
      at::Tensor y = in.to(type);
      for (int k = 0; k < 3; ++k) y = k < 2 ? at::linear(y, v).tanh() : at::linear(y, v);
      y.square().mean().backward();
      return v.grad();
    };
    const at::Tensor exact = eager(at::kDouble), whole = eager(at::kFloat);
    for (const index_t chunk : {index_t{1}, index_t{3}, index_t{7}, samples / 65, samples / 30, samples / 2, samples}) {
      CAPTURE(samples, chunk);
      tensor_of(w).mutable_grad() = at::Tensor();
      const index_t predicted = plan(loss, {.chunk = chunk}, x = in).peak_bytes();
      const measure m;
      (void)backward(loss, {.chunk = chunk}, x = in);
      CHECK(m.peak() == predicted);
      CHECK(relative_error(tensor_of(w).grad(), exact) <= 1.5 * relative_error(whole, exact) + 1e-6);
    }
  }
}

TEST_CASE("statistics of very many chunks are as exact as the whole batch's") {
  const input<batch, 4> x{"x"};
  const at::Tensor in = at::randn({20000, 4}, at::kDouble) * 2 + 100;  // (20000, 4)
  const at::Tensor in32 = in.to(at::kFloat), exact = in32.to(at::kDouble).var(0);
  const double eager = relative_error(in32.var(0), exact);
  for (const index_t chunk : {1, 7, 300, 20000})
    CHECK(relative_error(run(var(x, 0_c), {.chunk = chunk}, x = in32), exact) <= 1.5 * eager + 1e-6);
}

TEST_CASE("a compensated sum that is infinite or not a number stays so") {
  const parameter<2> b{"b"};
  const input<batch, 2> x{"x"};
  at::Tensor in = at::ones({500, 2});  // (500, 2)
  in[77][0] = INFINITY;
  in[78][1] = NAN;
  const auto loss = sum(x * b);
  (void)backward(loss, {.chunk = 1}, x = in);
  CHECK(std::isinf(tensor_of(b).grad()[0].item<float>()));
  CHECK(std::isnan(tensor_of(b).grad()[1].item<float>()));
}
