// SPDX-License-Identifier: MIT
// plan(e) returns the plan of the user's call: backward's plan for a loss with a gradient,
// otherwise run's plan. This holds for static, erased and lazy expressions and for callables.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>

using namespace koila;
using namespace ::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Returns the peak of the bytes that f allocates. Bytes that existed before do not count.
auto bytes_of_call(const auto& f) -> index_t {
  const measure m;
  f();
  return m.peak();
}

struct regression {
  parameter<float64, 6, 8> w{"w"};
  parameter<float64, 6> scale{"scale"};
  input<float64, batch, 8> x{"x"};
  at::Tensor values = at::randn({64, 8}, at::kDouble);  // (64, 8)

  regression() { set(w, at::randn({6, 8}, at::kDouble)), set(scale, at::randn({6}, at::kDouble)); }
  auto hidden(const auto& features) const { return tanh(linear(features, w)) * scale; }
  void drop_gradients() const { tensor_of(w).mutable_grad() = tensor_of(scale).mutable_grad() = at::Tensor(); }
  /// Returns the plan's bytes, and checks that backward needs the same number.
  auto check_backward(const auto& loss, const options& o, const auto&... bound) const -> index_t {
    drop_gradients();
    const index_t predicted = plan(loss, o, bound...).peak_bytes();
    CHECK(bytes_of_call([&] { backward(loss, o, bound...); }) == predicted);
    return predicted;
  }
};

/// A scalar whose rank the compiler does not know.
auto total(const auto& y) {
  const auto z = erased<dtype::unknown, unranked>(y);
  const auto out = sum(sum(z, 0_c), 0_c);
  static_assert(!shape_t<decltype(out)>::value.ranked());
  return out;
}

constexpr auto known_loss() {
  input<batch, 64> x{"x"};
  parameter<32, 64> w{"w"};
  return mean(square(relu(linear(x, w))));
}
constexpr auto unknown_loss() -> erased<unranked> { return known_loss(); }
constexpr auto known_value() {
  input<batch, 64> x{"x"};
  parameter<32, 64> w{"w"};
  return relu(linear(x, w));
}
constexpr auto unknown_value() -> erased<unranked> { return known_value(); }

}  // namespace

TEST_CASE("trials A3: the plan of a loss whose rank is known at run time only is that of backward") {
  const regression r;
  for (const index_t chunk : {0, 5, 64}) {
    CAPTURE(chunk);
    const options o{.chunk = chunk};
    const auto loss = sum(r.hidden(r.x));
    const index_t bytes = r.check_backward(loss, o, r.x = r.values);
    CHECK(bytes > plan(detach(loss), o, r.x = r.values).peak_bytes());
    {  // an erased expression
      const erased<float64, unranked> same = loss;
      CHECK(r.check_backward(same, o, r.x = r.values) == bytes);
      CHECK(r.check_backward(erased<dtype::unknown>(same), o, r.x = r.values) == bytes);
      r.check_backward(total(r.hidden(r.x)), o, r.x = r.values);
    }
    {  // a lazy tensor
      CHECK(r.check_backward(sum(r.hidden(lazy<batch>(r.values))), o) == bytes);
      r.check_backward(total(r.hidden(lazy<batch>(r.values))), o);
      r.check_backward(total(r.hidden(lazy(r.values))), {});
    }
    {  // a callable
      const auto product = [](const at::Tensor& a, const at::Tensor& b) { return at::mul(a, b); };
      const auto y = custom(product, linear(r.x, r.w), r.scale, workspace = 0, backward_workspace = 64 * 6 * 8);
      r.drop_gradients();
      const auto own = total(y);
      const index_t predicted = plan(own, o, r.x = r.values).peak_bytes();
      CHECK(predicted > plan(detach(own), o, r.x = r.values).peak_bytes());
      CHECK(bytes_of_call([&] { backward(own, o, r.x = r.values); }) <= predicted);
      // A callable that computes the scalar itself.
      const auto squares = [](const at::Tensor& a) { return at::mean(at::square(a)); };
      const auto scalar =
          custom(squares, linear(r.x, r.w), workspace = 64 * 6 * 8, backward_workspace = 4 * 64 * 6 * 8);
      static_assert(!shape_t<decltype(scalar)>::value.ranked());
      r.drop_gradients();
      const index_t most = plan(scalar, o, r.x = r.values).peak_bytes();
      CHECK(most > plan(detach(scalar), o, r.x = r.values).peak_bytes());
      const index_t taken = bytes_of_call([&] { backward(scalar, o, r.x = r.values); });
      CHECK(taken <= most);
      CHECK(taken > plan(detach(scalar), o, r.x = r.values).peak_bytes());
    }
  }
}

TEST_CASE("trials A3: plan(detach(loss)) is the plan of run(loss)") {
  const regression r;
  const auto check = [&](const auto& loss) {
    for (const index_t chunk : {7, 64}) {
      const index_t predicted = plan(detach(loss), {.chunk = chunk}, r.x = r.values).peak_bytes();
      CHECK(bytes_of_call([&] { (void)run(loss, {.chunk = chunk}, r.x = r.values); }) == predicted);
    }
  };
  check(sum(r.hidden(r.x)));
  check(total(r.hidden(r.x)));
  check(mean(square(r.hidden(r.x))) + amax(r.x));
}

TEST_CASE("trials A3: of what has no gradient the plan is that of run") {
  const regression r;
  const auto check = [&](const auto& y, const auto&... bound) {
    const index_t predicted = plan(y, bound...).peak_bytes();
    CHECK(bytes_of_call([&] { (void)run(y, bound...); }) == predicted);
  };
  const at::Tensor whole = at::randint(0, 9, {12}, at::kLong);
  check(erased<float64, unranked>(r.hidden(r.x)), r.x = r.values);  // not a scalar
  check(sum(lazy(whole)));                                         // a scalar of integers
  check(erased<dtype::unknown>(sum(lazy(whole))));
  check(total(lazy(r.values)));  // a scalar without parameters
}

TEST_CASE("trials A3: of a scalar from which no gradient reaches a parameter the plan is that of run") {
  const regression r;
  const auto check = [&](const auto& y, const auto&... bound) {
    for (const index_t chunk : {5, 64}) {
      const index_t predicted = plan(y, {.chunk = chunk}, bound...).peak_bytes();
      CHECK(bytes_of_call([&] { (void)run(y, {.chunk = chunk}, bound...); }) == predicted);
      CHECK(plan(detach(y), {.chunk = chunk}, bound...).peak_bytes() == predicted);
    }
  };
  const at::Tensor asks = r.values.clone().requires_grad_();
  check(sum(square(lazy<batch>(asks))));
  check(sum(square(r.x)), r.x = asks);
  check(sum(detach(r.hidden(r.x)) * sum(lazy<batch>(asks))), r.x = r.values);
  // This op has no gradient.
  const auto curve = [](const at::Tensor& a) { return at::tanh(a); };
  const auto y = sum(custom(curve, linear(r.x, r.w), workspace = 0) * r.scale);
  check(y, r.x = r.values);
  CHECK_THROWS_WITH(backward(y, r.x = r.values), ContainsSubstring("no backward_workspace = bytes is stated"));
  CHECK_THROWS_WITH(step(y, sgd{.lr = 0.1}).plan(r.x = r.values),
                    ContainsSubstring("no backward_workspace = bytes is stated"));
  const auto with = custom(curve, linear(r.x, r.w), workspace = 0, backward_workspace = 0);
  check(sum(square(gradient(sum(with * r.scale), r.w))), r.x = r.values);  // a second derivative
  // If there are parameters, `plan` refuses a gradient that would be lost, as backward does.
  const auto lost = sum(r.hidden(r.x) * sum(lazy<batch>(asks)));
  CHECK_THROWS_WITH(plan(lost, r.x = r.values), ContainsSubstring("would get none"));
  CHECK_THROWS_WITH(backward(lost, r.x = r.values), ContainsSubstring("would get none"));
  tensor_of(r.w).set_requires_grad(false), tensor_of(r.scale).set_requires_grad(false);
  check(sum(r.hidden(r.x)), r.x = r.values);
  check(lost, r.x = r.values);
}

TEST_CASE(
    "trials A3: a loss that is no scalar at run time is refused by backward, step and gradient, before anything runs") {
  const regression r;
  (void)tensor_of(r.w), (void)tensor_of(r.scale);
  const auto check = [&](const auto& value, const std::string& message, const at::Tensor& values) {
    const measure m;
    CHECK_THROWS_WITH(backward(value, r.x = values), ContainsSubstring(message));
    auto train = step(value, sgd{.lr = 0.1});
    CHECK_THROWS_WITH(train(r.x = values), ContainsSubstring(message));
    CHECK_THROWS_WITH(train.plan(r.x = values), ContainsSubstring(message));
    CHECK_THROWS_WITH(run(gradient(value, r.w), r.x = values), ContainsSubstring(message));
    CHECK_THROWS_WITH(plan(gradient(value, r.w), r.x = values), ContainsSubstring(message));
    CHECK(m.peak() == 0);
    CHECK(!tensor_of(r.w).grad().defined());
  };
  const auto rows = [](const at::Tensor& a) { return at::sum(a, 1); };
  for (const index_t samples : {1, 64}) {  // a batch of one sample is refused too
    const at::Tensor values = r.values.narrow(0, 0, samples);
    check(erased<float64, unranked>(r.hidden(r.x)), "not a scalar", values);
    check(erased<float64, unranked>(sum(r.hidden(r.x), 1_c)), "not a scalar", values);
    check(custom(rows, linear(r.x, r.w), workspace = 0, backward_workspace = 64 * 6 * 8), "not a scalar", values);
  }
  check(erased<dtype::unknown, unranked>(argmax(sum(linear(r.x, r.w), 0_c))), "integers have no gradient", r.values);
}

TEST_CASE("trials A3: a constant expression plans what it is, not what the compiler's type says") {
  STATIC_REQUIRE(peak_bytes(unknown_loss, batch = 64) == peak_bytes(known_loss, batch = 64));
  STATIC_REQUIRE(peak_bytes(unknown_value, batch = 64) == peak_bytes(known_value, batch = 64));
  STATIC_REQUIRE(peak_bytes(unknown_loss, batch = 64) > peak_bytes([] { return detach(known_loss()); }, batch = 64));
}

TEST_CASE("trials A3: an erased expression has the shape that it states, whatever the compiler knew") {
  const input<float64, batch, 8> x{"x"};
  const at::Tensor values = at::randn({5, 8}, at::kDouble);  // (5, 8)
  const auto open = lazy(values);
  const auto unknown = erased<dtype::unknown, unranked>(x * 2.0);
  CHECK(at::equal(run(erased<float64, batch, 8>(unknown), x = values), values * 2.0));
  CHECK(at::equal(run(erased<float64, any, any>(unknown), x = values), values * 2.0));
  CHECK(at::equal(run(erased<float64, 5, 8>(open)), values));
  CHECK(at::equal(run(erased<float64, batch, 8>(open)), values));
  const auto differs = ContainsSubstring("the shape is not the declared one");
  CHECK_THROWS_WITH(run(erased<float64, batch, 9>(unknown), x = values), differs);
  CHECK_THROWS_WITH(run(erased<float64, 5, 9>(open)), differs);
  CHECK_THROWS_WITH(run(erased<float64, 4, 8>(open)), differs);
  CHECK_THROWS_WITH(run(erased<float64, any>(open)), differs);
  CHECK_THROWS_WITH(run(erased<float64>(unknown), x = values), differs);
  CHECK_THROWS_AS(run(erased<float64, batch, 8>(open) + x, x = values.narrow(0, 0, 4)), shape_error);
  CHECK_THROWS_WITH(run(erased<5, 8>(open)), ContainsSubstring("the dtype is not the declared one"));
}

TEST_CASE("trials A3: a recurrent layer takes as many states as it has layers, whatever the compiler knows of them") {
  const nn::rnn<3, 4, nn::rnn_options{.layers = 2}> net{"net"};
  const input<5, batch, 3> x{"x"};
  const at::Tensor values = at::randn({5, 6, 3});  // (time, batch, in)
  const auto with = [&](const at::Tensor& states) { return run(std::get<0>(net(x, lazy(states))), x = values); };
  const at::Tensor two = at::randn({2, 6, 4}), three = at::randn({3, 6, 4});  // (layers, batch, hidden)
  CHECK(at::equal(with(two), run(std::get<0>(net(x, lazy<2, batch, 4>(two))), x = values)));
  CHECK_THROWS_AS(with(three), shape_error);
  CHECK_THROWS_AS(with(two[0]), shape_error);
}
