// SPDX-License-Identifier: MIT
// Cases in which a gradient could be lost without an error: values computed eagerly from
// parameters, and tensors that require a gradient.
#include "run/support.hpp"

#include <ATen/core/grad_mode.h>

#include <koila/nn/nn.hpp>

using namespace koila;
using namespace ::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("what is computed at once of a parameter has no gradient, and says so") {
  const nn::embedding<20, 8> token{"token"}, position{"position"};
  const input<int64, batch, 6> x{"x"};
  const at::Tensor ids = at::randint(0, 20, {4, 6}, at::kLong), places = at::arange(6);
  const auto silent = sum(token(x) + position(places));
  const auto message = ContainsSubstring("would get none: compute it inside, from lazy(tensor)");
  SECTION("in an expression's gradient") {
    CHECK_THROWS_WITH(backward(silent, x = ids), message);
    CHECK_THROWS_WITH(run(gradient(silent, token.weight), x = ids), message);
    auto train = step(silent, sgd{.lr = 0.1});
    const at::Tensor before = tensor_of(token.weight).detach().clone();
    CHECK_THROWS_WITH(train(x = ids), message);
    CHECK(at::equal(tensor_of(token.weight), before));
    CHECK(!tensor_of(token.weight).grad().defined());
  }
  SECTION("through LibTorch's operators too") {
    CHECK_THROWS_WITH(backward(sum(token(x) + position(places).unsqueeze(0) * 2), x = ids), message);
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
  CHECK_THROWS_WITH(backward(sum(w * x)), ContainsSubstring("ask for it, by gradient(loss, tensor)"));
  CHECK(near(run(gradient(sum(w * x), x)), tensor_of(w).detach()));
  CHECK_THROWS_AS(relu(t), shape_error);

  const input<batch, 3> in{"in"};
  auto train = step(sum(in * w), sgd{.lr = 0.1});
  train(in = plain);
  CHECK_THROWS_WITH(train(in = plain * t), ContainsSubstring("in: the tensor was computed outside"));
  CHECK_NOTHROW(train(in = (plain * t).detach()));
  CHECK_NOTHROW(backward(sum(w * detach(lazy(t)))));
  const at::Tensor mask = at::rand({3}), h = mul(w, mask);
  CHECK(h.requires_grad());
  CHECK(!detach(h).requires_grad());
  CHECK(!zeros_like(h).requires_grad());
  CHECK(at::equal(argmax(tensor_of(w), 0_c), tensor_of(w).argmax(0)));
  CHECK(at::equal(gt(tensor_of(w), mask), tensor_of(w).gt(mask)));
  CHECK_NOTHROW(backward(sum(where(in > 0.5, w, 0)), in = plain * t));  // no gradient flows through a comparison
  auto masked = step(sum(where(in > 0.5, w, 0)), sgd{.lr = 0.1});
  for (int i = 0; i < 3; ++i) CHECK_NOTHROW(masked(in = plain * t));
  CHECK(masked.plans() == 1);
}

TEST_CASE("layers of expressions and tensors together train all of their parameters") {
  const auto same_gradients = [](const auto& net, const auto& mixed_loss, const auto& lazy_loss, const auto& bound) {
    const auto gradients_of = [&](const auto& loss) {
      std::vector<at::Tensor> out;
      for (const auto& p : named_parameters(net)) p.tensor().mutable_grad() = at::Tensor();
      backward(loss, bound);
      for (const auto& p : named_parameters(net)) {
        CAPTURE(p.name);
        REQUIRE(p.tensor().grad().defined());
        out.push_back(p.tensor().grad().clone());
      }
      return out;
    };
    const auto got = gradients_of(mixed_loss), want = gradients_of(lazy_loss);
    for (std::size_t k = 0; k < got.size(); ++k) CHECK(relative_error(got[k], want[k]) <= 1e-5);
  };
  SECTION("attention to a plain tensor") {
    const nn::multihead_attention<8, 2> m{"m"};
    const input<batch, 5, 8> q{"q"};
    const at::Tensor memory = at::randn({4, 7, 8});  // (batch, s, E)
    same_gradients(m, mean(square(m(q, memory, memory))), mean(square(m(q, lazy(memory), lazy(memory)))),
                   q = at::randn({4, 5, 8}));
  }
  SECTION("a plain sequence from states that are expressions") {
    const input<2, batch, 5> s{"s"};
    const at::Tensor words = at::randn({6, 4, 3}), first = at::randn({2, 4, 5});  // (time, n, in), (layers, n, hidden)
    const nn::lstm<3, 5, nn::rnn_options{.layers = 2}> lstm{"lstm"};
    same_gradients(lstm, mean(square(std::get<0>(lstm(words, s, s)))),
                   mean(square(std::get<0>(lstm(lazy(words), s, s)))), s = first);
    const nn::rnn<3, 5, nn::rnn_options{.layers = 2}> rnn{"rnn"};
    same_gradients(rnn, mean(square(std::get<0>(rnn(words, s)))), mean(square(std::get<0>(rnn(lazy(words), s)))),
                   s = first);
  }
  SECTION("on plain tensors alone what parts of parameters made has no gradient, and says so") {
    const nn::multihead_attention<8, 2> m{"m"};
    const parameter<8> w{"w"};
    for (const at::Tensor& t : {tensor_of(m.out_proj.weight), tensor_of(m.out_proj.bias)}) t.set_requires_grad(false);
    const at::Tensor t = at::randn({4, 5, 8});
    CHECK(m(t, t, t).requires_grad());
    CHECK_THROWS_WITH(backward(sum(lazy(m(t, t, t)) * w)), ContainsSubstring("would get none"));
    const nn::lstm<8, 5> lstm{"lstm"};
    for (const at::Tensor& v : parameters(lstm)) v.set_requires_grad(v.dim() == 1);
    CHECK(std::get<0>(lstm(t)).requires_grad());
  }
}
