// SPDX-License-Identifier: MIT
// A user's op in the user's file. It is defined like koila's ops and needs no registration.
#include <ATen/ops/sigmoid.h>

#include "run/support.hpp"

namespace mine {

using namespace koila;
using namespace koila::author;
using namespace koila::internal;

/// (..., n) x (n) -> (..., n): x * sigmoid(w * x).
inline constexpr struct swish : op<swish> {
  static constexpr std::string_view name = "swish";
  /// Returns the dims of the result, or the reason for a refusal. The compiler and the graph
  /// builder both call `rule`.
  static constexpr auto rule(const dims& x, const dims& w) -> verdict {
    if (w.ranked() && w.rank != 1) return reason::weight_is_not_per_channel;
    return rules::broadcast(x, w);
  }
  /// States how the result depends on the samples. Here, each sample of the operands determines one
  /// sample of the result. Without `flow`, operands are gathered.
  static constexpr auto flow(const value& x, const value& w, const dims& y) -> relations {
    const value features[] = {x, w};
    return flows::elementwise(features, 2, y);
  }
  /// Returns the cost. The last number is the largest number of bytes that `evaluate` has allocated
  /// at one time.
  static constexpr auto cost(const dims&, const dims&, const dims& y) -> op_cost {
    const auto n = static_cast<double>(y.count());
    return {6 * n, 24 * n, 0};
  }
  /// Writes the result. `y` is contiguous and already has its dims.
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w) {
    at::mul_out(y, x, w).sigmoid_().mul_(x);
  }
  /// Returns the gradients of the operands, as expressions of ops.
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w) {
    const auto s = sigmoid(x * w);
    const auto ds = dy * x * (s - s * s);
    return gradients(dy * s + ds * w, sum_to(ds * x, w));
  }
} swish;

/// Names of koila's ops and of nodes in its graphs.
inline constexpr std::string_view taken_names[] = {
    "detach", "custom", "custom_backward", "contiguous", "slice_backward", "expand_like", "add", "gather",
    "number", "leaf",   "dropout",         "cat",        "whole"};
/// (...) -> (...): three times x, by an op whose name koila already uses.
template <std::size_t Name>
struct thrice : op<thrice<Name>, 1> {
  static constexpr std::string_view name = taken_names[Name];
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& y) -> relations { return flows::elementwise(&x, 1, y); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    at::mul_out(y, x, at::scalar_tensor(3.0, x.scalar_type()));
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto&) { return gradients(dy * 3.0); }
};

/// (..., n) x (n) -> (..., n): x * w. The gradient of w is wrong: it is not summed over the dims in
/// which w is broadcast.
inline constexpr struct forgetful : op<forgetful> {
  static constexpr std::string_view name = "forgetful";
  static constexpr auto rule(const dims& x, const dims& w) -> verdict { return rules::broadcast(x, w); }
  static constexpr auto flow(const value& x, const value& w, const dims& y) -> relations {
    const value features[] = {x, w};
    return flows::elementwise(features, 2, y);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w) { at::mul_out(y, x, w); }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w) {
    return gradients(dy * w, dy * x);
  }
} forgetful;

/// (...) -> (...): x. Its gradient is wrong: it has a different dtype.
inline constexpr struct of_another_dtype : op<of_another_dtype, 1> {
  static constexpr std::string_view name = "of_another_dtype";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& y) -> relations { return flows::elementwise(&x, 1, y); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { y.copy_(x); }
  static constexpr auto gradient(const auto& dy, const auto&, const auto&) { return gradients(to<float64>(dy)); }
} of_another_dtype;

/// (...) -> (...): x, and x squared, by two ops with one name.
inline constexpr struct twin_of_itself : op<twin_of_itself, 1> {
  static constexpr std::string_view name = "twin";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& y) -> relations { return flows::elementwise(&x, 1, y); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { y.copy_(x); }
  static constexpr auto gradient(const auto& dy, const auto&, const auto&) { return gradients(dy); }
} twin_of_itself;
inline constexpr struct twin_squared : op<twin_squared, 1> {
  static constexpr std::string_view name = "twin";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& y) -> relations { return flows::elementwise(&x, 1, y); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { at::mul_out(y, x, x); }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy * x * 2.0); }
} twin_squared;

/// (...) -> (...): x. The op states that no gradient flows through it.
inline constexpr struct held_fast : op<held_fast, 1> {
  static constexpr std::string_view name = "held_fast";
  static constexpr bool stops_gradient = true;
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& y) -> relations { return flows::elementwise(&x, 1, y); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { y.copy_(x); }
} held_fast;

/// (...) -> (...): x plus LibTorch's random noise. The op states that it draws random numbers.
inline constexpr struct noisy : op<noisy, 1> {
  static constexpr std::string_view name = "noisy";
  static constexpr bool draws_elsewhere = true;
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { y.normal_().add_(x); }
} noisy;

/// (...) -> (...): always throws.
inline constexpr struct failing : op<failing, 1> {
  static constexpr std::string_view name = "failing";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static void evaluate(at::Tensor&, const at::Tensor&) { throw std::runtime_error("it fails"); }
} failing;

}  // namespace mine

using namespace koila;
using namespace ::test;
using mine::swish;

TEST_CASE("an op in a user's file: value, refusal, gradients, chunks, bytes, plain tensors") {
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 3, 4> a{"a"};
  const parameter<float64, 3> w{"w"};
  set(a, at::randn({3, 4}, at::kDouble)), set(w, at::randn({3}, at::kDouble));
  const at::Tensor values = at::randn({13, 4}, at::kDouble);  // (batch, 4)
  const auto y = swish(linear(x, a), w);                      // (batch, 3)
  STATIC_REQUIRE(shape_of(y).rank == 2);
  STATIC_REQUIRE(!Accepts<struct swish, shape<batch, 3>, shape<batch, 3>>);

  std::vector<at::Tensor> leaves{tensor_of(a).detach().clone().requires_grad_(),
                                 tensor_of(w).detach().clone().requires_grad_()};
  const at::Tensor h = at::linear(values, leaves[0]), want = h * at::sigmoid(leaves[1] * h);
  want.square().mean().backward();
  CHECK(relative_error(run(y, x = values), want) < 1e-14);
  CHECK(relative_error(swish(h.detach(), tensor_of(w).detach()), want) < 1e-14);

  const auto loss = mean(let(y) * y);
  for (const index_t chunk : chunks_of(13)) {
    for (const auto& p : {tensor_of(a), tensor_of(w)}) p.mutable_grad().reset();
    const index_t predicted = plan(loss, {.chunk = chunk}, x = values).peak_bytes();
    const measure m;
    backward(loss, {.chunk = chunk}, x = values);
    CHECK(m.peak() == predicted);
    CHECK(relative_error(tensor_of(a).grad(), leaves[0].grad()) < 1e-12);
    CHECK(relative_error(tensor_of(w).grad(), leaves[1].grad()) < 1e-12);
  }
  auto train = step(loss, sgd{.lr = 0.1}, {.chunk = 4});
  const double before = train(x = values).item<double>();
  for (int i = 0; i < 20; ++i) train(x = values);
  CHECK(train(x = values).item<double>() < before);
}

TEST_CASE("trials A4: an op of the user's own has its gradient, whatever its name") {
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 4> w{"w"};
  set(w, at::randn({4}, at::kDouble));
  const at::Tensor values = at::randn({7, 4}, at::kDouble);  // (batch, 4)
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto check = [&]<std::size_t Name>(std::integral_constant<std::size_t, Name>) {
      CAPTURE(mine::taken_names[Name]);
      constexpr mine::thrice<Name> op;
      const auto loss = sum(square(op(x * w)));
      for (const index_t chunk : {3, 7}) {
        tensor_of(w).mutable_grad() = at::Tensor();
        backward(loss, {.chunk = chunk}, x = values);
        CHECK(relative_error(tensor_of(w).grad(), tensor_of(w).detach() * values.square().sum(0) * 18.0) < 1e-14);
      }
      // A call on plain tensors has no gradient, and is refused if a gradient is required.
      CHECK_THROWS_AS(op(values.clone().requires_grad_()), shape_error);
      CHECK(op(w * values).requires_grad());
      CHECK_THROWS_AS(op(w * values).sum().backward(), std::logic_error);
    };
    (check(std::integral_constant<std::size_t, I>()), ...);
  }(std::make_index_sequence<std::size(mine::taken_names)>());
}

TEST_CASE("trials A1: a gradient of other dims or another dtype than its operand's is refused, whatever runs it") {
  const input<batch, 4> x{"x"};
  const parameter<4> w{"w"};
  const at::Tensor values = at::randn({6, 4});  // (batch, 4)
  const auto refused = [&](const auto& loss, const std::string& message) {
    CAPTURE(message);
    const auto with = Catch::Matchers::StartsWith(message);
    for (const index_t chunk : {0, 1}) {
      CHECK_THROWS_WITH(backward(loss, {.chunk = chunk}, x = values), with);
      auto train = step(loss, sgd{.lr = 0.1}, {.chunk = chunk});
      CHECK_THROWS_WITH(train(x = values), with);
    }
    CHECK_THROWS_WITH(run(gradient(loss, w), x = values), with);
    CHECK(!tensor_of(w).grad().defined());
  };
  refused(sum(mine::forgetful(x, w)),
          "forgetful: its gradient of operand 1 is [batch=6, 4], and the operand [4]: sum_to");
  refused(sum(mine::of_another_dtype(w) * x),
          "of_another_dtype: its gradient of operand 0 is float64[4], and the operand [4]: ");
  CHECK_NOTHROW(backward(sum(mine::forgetful(w, w))));
}

TEST_CASE("trials A4: two ops of one name are two") {
  const input<float64, batch, 4> x{"x"};
  const at::Tensor values = at::randn({7, 4}, at::kDouble);  // (batch, 4)
  const auto y = mine::twin_of_itself(x) - mine::twin_squared(x);
  CHECK(relative_error(run(y, x = values), values - values.square()) < 1e-14);
  CHECK(relative_error(run(gradient(sum(y), x), x = values), 1 - values * 2) < 1e-14);
  CHECK(near(run(mine::twin_of_itself(x), x = values), values));  // kept programs also distinguish the two ops
  CHECK(near(run(mine::twin_squared(x), x = values), values.square()));
}

TEST_CASE("trials A4: an op states that it stops gradients, or draws LibTorch's random numbers") {
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 4> w{"w"};
  set(w, at::randn({4}, at::kDouble));
  const at::Tensor values = at::randn({7, 4}, at::kDouble), asks = values.clone().requires_grad_();  // (batch, 4)
  backward(sum(mine::held_fast(x * w) * w), x = values);
  CHECK(relative_error(tensor_of(w).grad(), tensor_of(w).detach() * values.sum(0)) < 1e-14);
  CHECK_NOTHROW(backward(sum(mine::held_fast(lazy(asks)) * w)));
  CHECK(!mine::held_fast(asks).requires_grad());

  at::manual_seed(4);
  const at::Tensor want = at::randn({3});
  at::manual_seed(4);
  CHECK_THROWS_WITH(run(mine::failing(mine::noisy(x)), x = values), "it fails");
  CHECK(at::equal(at::randn({3}), want));
}
