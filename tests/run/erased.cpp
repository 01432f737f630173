// SPDX-License-Identifier: MIT
// Each value is computed once, and the time is linear in the number of nodes. The test's own ops
// count their calls.
#include "run/support.hpp"

#include <atomic>

namespace {

std::atomic<int> calls = 0;

}  // namespace

// A user's ops, defined in the same way as koila's own ops.
namespace mine {

using namespace koila;
using namespace koila::author;

/// (...) -> (...): x + 1.
inline constexpr struct counted : op<counted> {
  static constexpr std::string_view name = "counted";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& out) -> relations { return flows::elementwise(&x, 1, out); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    ++calls;
    at::add_out(y, x, at::scalar_tensor(1.0, x.scalar_type()));
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto&) { return gradients(dy); }
} counted;

/// (...) -> (...): the cumulative sum along dim 0. The op has no `flow`, so it gets the whole
/// batch.
inline constexpr struct running_sum : op<running_sum> {
  static constexpr std::string_view name = "running_sum";
  static constexpr auto rule(const dims& x) -> verdict {
    if (x.ranked() && x.rank < 1) return reason::no_rule_for_these_ranks;
    return x;
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { at::cumsum_out(y, x, 0); }
} running_sum;

/// (...) -> (...): x times a number known at run time. An op may use any attributes; this op uses
/// `dim`.
inline constexpr struct scaled : op<scaled> {
  static constexpr std::string_view name = "scaled";
  struct attributes {
    attr<index_t> dim = 1;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes&) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& out, const attributes&) -> relations {
    return flows::elementwise(&x, 1, out);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    at::mul_out(y, x, at::scalar_tensor(static_cast<double>(a.dim.value), x.scalar_type()));
  }
} scaled;

}  // namespace mine

using namespace koila;
using namespace ::test;
using mine::counted;

namespace {

auto calls_of(const auto& f) -> int {
  calls = 0;
  f();
  return calls;
}
template <int N>
auto doubled(const auto& x) {
  if constexpr (N == 0) return x;
  else return doubled<N - 1>(let(x + x));
}

}  // namespace

TEST_CASE("row 3: each value once") {
  input<batch, 4> x{"x"};
  const at::Tensor t = at::randint(0, 9, {6, 4}, at::kFloat);                            // (6, 4)
  SECTION("a diamond") {
    auto h = let(counted(x));
    CHECK(calls_of([&] { CHECK(at::equal(run(h * h + h, {.chunk = 6}, x = t), (t + 1) * (t + 1) + t + 1)); }) == 1);
    CHECK(calls_of([&] { (void)run(h * h + h, {.chunk = 2}, x = t); }) == 3);  // once per chunk
    CHECK(calls_of([&] { (void)run(counted(x) * counted(x), {.chunk = 6}, x = t); }) == 1);
  }
  SECTION("a diamond below dropout, which draws once") {
    auto h = let(dropout(x + 1.0, 0.5));
    for (const index_t chunk : {6, 4, 1}) {
      const at::Tensor twice = run(h + h, {.chunk = chunk}, x = t), none = run(h - h, {.chunk = chunk}, x = t);
      CHECK(at::equal(none, at::zeros({6, 4})));
      // Dropout doubles the elements that it keeps, and h + h doubles these elements again.
      CHECK(at::equal(twice, at::where(twice.eq(0), twice, (t + 1) * 4)));
    }
  }
  SECTION("18 doublings") {
    erased<batch, 4> h = counted(x);
    for (int i = 0; i < 18; ++i) h = counted(h + h);
    at::Tensor want = t + 1;
    for (int i = 0; i < 18; ++i) want = want + want + 1;
    CHECK(calls_of([&] { CHECK(at::equal(run(h, {.chunk = 6}, x = t), want)); }) == 19);
    CHECK(calls_of([&] { (void)run(doubled<10>(counted(x)), {.chunk = 6}, x = t); }) == 1);
    CHECK(at::equal(run(doubled<10>(x), x = t), t * 1024));
  }
  SECTION("a chain of 10,000") {
    const auto chain = [&](int n) {
      erased<batch, 4> h = x;
      for (int i = 0; i < n; ++i) h = counted(h);
      return h;
    };
    // Benchmarks measure how long this takes. A quadratic algorithm would take minutes.
    for (const int n : {10000, 40000}) {
      const auto h = chain(n);
      CHECK(calls_of([&] { CHECK(at::equal(run(h, {.chunk = 6}, x = t), t + n)); }) == n);
    }
  }
  SECTION("a residual network of 50 blocks, with its gradient") {
    const auto network = [&](int n, const parameter<float64, 4, 4>& w, const input<float64, batch, 4>& features) {
      erased<float64, batch, 4> h = features;
      for (int i = 0; i < n; ++i) h = h + counted(tanh(linear(h, w)));
      return mean(h * h);
    };
    parameter<float64, 4, 4> w{"w"};
    input<float64, batch, 4> in{"in"};
    const at::Tensor d = t.to(at::kDouble) * 0.01;
    set(w, at::randn({4, 4}, at::kDouble) * 0.1);
    const auto loss = network(50, w, in);
    for (const index_t chunk : {6, 4, 1}) {
      tensor_of(w).mutable_grad() = at::Tensor();
      CHECK(calls_of([&] { (void)backward(loss, {.chunk = chunk}, in = d); }) == 50 * ((6 + chunk - 1) / chunk));
      at::Tensor p = tensor_of(w).detach().clone().requires_grad_(), h = d;
      for (int i = 0; i < 50; ++i) h = h + (at::tanh(at::linear(h, p)) + 1);
      (h * h).mean().backward();
      CHECK(relative_error(tensor_of(w).grad(), p.grad()) <= 1e-12);
    }
    CHECK(calls_of([&] { (void)backward(network(4000, w, in), {.chunk = 6}, in = d); }) == 4000);
  }
}

TEST_CASE("a user's own ops are ops as koila's are") {
  input<batch, 4> x{"x"};
  const at::Tensor t = at::randn({10, 4});                                               // (10, 4)
  SECTION("lazily, eagerly, refused as any") {
    CHECK(at::equal(run(counted(x), x = t), t + 1));
    CHECK(at::equal(counted(t), t + 1));
    CHECK(at::equal(run(mine::scaled(x, dim = 3_c) + mine::scaled(x, dim = 5), x = t), t * 3 + t * 5));
    parameter<> scalar;
    const auto refuses = [](const auto& op, const auto& e) { return !requires { op(e); }; };
    CHECK(refuses(mine::running_sum, scalar));
  }
  SECTION("row 5: an op that says nothing of the batch gathers it, and explain says so") {
    const auto y = mine::running_sum(x * 2.0) + x;
    for (const index_t chunk : {10, 4, 3, 1})
      CHECK(at::allclose(run(y, {.chunk = chunk}, x = t), (t * 2.0).cumsum(0) + t));
    std::ostringstream os;
    plan(y, {.chunk = 3}, x = t).explain(os);
    CHECK_THAT(os.str(), Catch::Matchers::ContainsSubstring("gathered"));
    CHECK_THAT(os.str(), Catch::Matchers::ContainsSubstring("2 loops"));
  }
  SECTION("an op without a gradient says so") {
    parameter<4> w{"w"};
    CHECK_THROWS_AS(backward(sum(mine::running_sum(x * w)), x = t), std::logic_error);
    CHECK(!tensor_of(w).grad().defined());
  }
}

inline constexpr struct loop_times : axis<loop_times> {
} loop_times;

TEST_CASE("trials A2: a dim that is stated to be an axis is that axis: a recurrence written as a loop") {
  const input<float64, loop_times, batch, 4> x{"x"};
  const parameter<float64, 4, 4> w{"w"};
  set(w, at::randn({4, 4}, at::kDouble));
  const at::Tensor values = at::randn({7, 6, 4}, at::kDouble);  // (times, batch, 4)
  std::vector<erased<float64, batch, 4>> states;
  for (int t = 0; t < 7; ++t) {
    const auto now = linear(select(x, 0_c, t), w);
    if (t == 0) states.push_back(tanh(now));
    else states.push_back(tanh(now + states.back()));
  }
  const erased<float64, loop_times, batch, 4> y = stack(states, dim = 0_c);
  const auto loss = sum(square(x + y));
  const at::Tensor copy = tensor_of(w).detach().clone().requires_grad_();
  std::vector<at::Tensor> all;
  for (int t = 0; t < 7; ++t) {
    const at::Tensor now = at::linear(values[t], copy);
    all.push_back(at::tanh(t == 0 ? now : now + all.back()));
  }
  const at::Tensor want = (values + at::stack(all)).square().sum();
  want.backward();
  for (const index_t chunk : {0, 1, 4}) {
    tensor_of(w).mutable_grad() = at::Tensor();
    CHECK(relative_error(backward(loss, {.chunk = chunk}, x = values), want.detach()) < 1e-13);
    CHECK(relative_error(tensor_of(w).grad(), copy.grad()) < 1e-13);
  }
  // x has seven steps, `shorter` has six.
  const erased<float64, loop_times, batch, 4> shorter =
      stack(std::vector(states.begin(), states.begin() + 6), dim = 0_c);
  CHECK_THROWS_AS(run(x + shorter, x = values), shape_error);
}
