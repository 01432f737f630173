// Where a gradient would be lost in silence: what was computed at once from parameters, and tensors that require a gradient.
#include "run/support.hpp"

#include <ATen/core/grad_mode.h>

#include <koila/nn/nn.hpp>

using namespace koila;
using namespace test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("what is computed at once of a parameter has no gradient, and says so") {
  const nn::embedding<20, 8> token{"token"}, position{"position"};
  const input<int64, batch, 6> x{"x"};
  const at::Tensor ids = at::randint(0, 20, {4, 6}, at::kLong), places = at::arange(6);
  const auto silent = sum(token(x) + position(places));
  const auto says = ContainsSubstring("would get none: compute it inside, from lazy(tensor)");
  SECTION("in an expression's gradient") {
    CHECK_THROWS_WITH(backward(silent, x = ids), says);
    CHECK_THROWS_WITH(run(gradient(silent, token.weight), x = ids), says);
    auto train = step(silent, sgd{.lr = 0.1});
    const at::Tensor before = tensor_of(token.weight).detach().clone();
    CHECK_THROWS_WITH(train(x = ids), says);
    CHECK(at::equal(tensor_of(token.weight), before));
    CHECK(!tensor_of(token.weight).grad().defined());
  }
  SECTION("through LibTorch's operators too") {
    CHECK_THROWS_WITH(backward(sum(token(x) + position(places).unsqueeze(0) * 2), x = ids), says);
  }
  SECTION("in LibTorch's backward") {
    at::Tensor y = relu(position(places));
    y += 1;
    y[0][0] = 3;
    CHECK_THROWS_WITH(y.sum().backward(), ContainsSubstring("relu of plain tensors was computed at once"));
    CHECK(!tensor_of(position.weight).grad().defined());
  }
  SECTION("and none is missed where none is asked for") {
    const at::Tensor want =
        (at::embedding(tensor_of(token.weight), ids) + at::embedding(tensor_of(position.weight), places)).sum();
    CHECK(near(run(silent, x = ids), want.detach()));
    CHECK_NOTHROW(backward(sum(token(x) + position(places).detach()), x = ids));
    const at::NoGradGuard off;
    CHECK_NOTHROW(backward(sum(token(x) + position(places)), x = ids));
    CHECK(!position(places).requires_grad());
  }
  SECTION("the same of a lazy tensor has its gradient") {
    backward(sum(token(x) * 2 + position(lazy(places))), x = ids);
    CHECK(near(tensor_of(position.weight).grad().narrow(0, 0, 6), at::full({6, 8}, 4.0)));
  }
  SECTION("of a parameter that is frozen there is none to lose") {
    tensor_of(position.weight).set_requires_grad(false);
    CHECK_NOTHROW(backward(sum(token(x) + position(places)), x = ids));
  }
}

TEST_CASE("a tensor that requires a gradient gets it from gradient, not from backward") {
  const parameter<3> w{"w"};
  const at::Tensor t = at::rand({3}).requires_grad_(), plain = at::rand({5, 3});
  const auto x = lazy(t);
  CHECK_THROWS_WITH(backward(sum(w * x)), ContainsSubstring("would get none"));
  CHECK(near(run(gradient(sum(w * x), x)), tensor_of(w).detach()));
  CHECK_THROWS_AS(relu(t), shape_error);

  const input<batch, 3> in{"in"};
  auto train = step(sum(in * w), sgd{.lr = 0.1});
  train(in = plain);
  CHECK_THROWS_WITH(train(in = plain * t), ContainsSubstring("in: the tensor was computed outside"));
  CHECK_NOTHROW(train(in = (plain * t).detach()));
  CHECK_NOTHROW(backward(sum(where(in > 0.5, w, 0)), in = plain * t));  // no gradient gets there
}
